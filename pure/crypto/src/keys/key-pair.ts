import { Secret } from '@sealpost/kernel'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes, RsaRecipe } from '../web-crypto.ts'
import { MODULUS_BYTES } from './rsa-public-key.ts'

export interface KeyPair {
  /** base64 of the DER SubjectPublicKeyInfo. */
  readonly publicKey: string
  /** PKCS#8. */
  readonly privateKey: Secret<Bytes>
}

const RECIPE: RsaRecipe = {
  name: 'RSA-OAEP',
  modulusLength: MODULUS_BYTES * 8,
  publicExponent: Uint8Array.of(1, 0, 1),
  hash: 'SHA-256',
}

/** The one kind of key pair of the platform: services, sign-in apps, accounts and their recovery keys all use it. */
export async function generateKeyPair({ crypto: { subtle }, base64 }: CryptoPlatform): Promise<KeyPair> {
  const { publicKey, privateKey } = await subtle.generateKey(RECIPE, true, ['encrypt', 'decrypt'])
  const spki = await subtle.exportKey('spki', publicKey)
  const pkcs8 = await subtle.exportKey('pkcs8', privateKey)
  return { publicKey: base64.encode(new Uint8Array(spki)), privateKey: new Secret(new Uint8Array(pkcs8)) }
}
