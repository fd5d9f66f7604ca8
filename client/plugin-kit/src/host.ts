import { createCryptoPlatform, type CryptoPlatform } from '@sealpost/crypto'

let made: CryptoPlatform | null = null

export function hostPlatform(): CryptoPlatform {
  made ??= createCryptoPlatform(globalThis)
  return made
}
