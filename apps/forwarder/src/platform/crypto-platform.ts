import { createCryptoPlatform } from '@sealpost/crypto'

export const cryptoPlatform = createCryptoPlatform(globalThis)
