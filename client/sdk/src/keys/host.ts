import { createCryptoPlatform, type CryptoPlatform } from '@sealpost/crypto'

let made: CryptoPlatform | null = null

/** Made when first needed: on an insecure page the functions explain themselves, and importing them breaks nothing. */
export function hostPlatform(): CryptoPlatform {
  made ??= createCryptoPlatform(globalThis)
  return made
}
