import { createCryptoPlatform, type CryptoPlatform } from '@sealpost/crypto'

let made: CryptoPlatform | null = null

/** Created on first use, so that importing the SDK never fails; on an insecure page the first use throws. */
export function hostPlatform(): CryptoPlatform {
  made ??= createCryptoPlatform(globalThis)
  return made
}
