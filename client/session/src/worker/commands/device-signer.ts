import type { Bytes } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'

// The key by which a passcode device signs approvals and documents. It is in the clear in this worker only while it signs.

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const ES256 = { name: 'ECDSA', hash: 'SHA-256' } as const

export interface NewSigner {
  /** base64 of the DER SubjectPublicKeyInfo. */
  readonly publicKey: string
  readonly privateKey: CryptoKey
  /** To be wrapped at once. */
  readonly pkcs8: Secret<Bytes>
}

export async function newSigner(): Promise<NewSigner> {
  const pair = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify'])
  return {
    publicKey: base64(await crypto.subtle.exportKey('spki', pair.publicKey)),
    privateKey: pair.privateKey,
    pkcs8: new Secret(new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey))),
  }
}

export function importSigner(pkcs8: Secret<Bytes>): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', pkcs8.reveal(), CURVE, false, ['sign'])
}

/** base64 of r and s. */
export async function signWith(key: CryptoKey, text: string): Promise<string> {
  return base64(await crypto.subtle.sign(ES256, key, new TextEncoder().encode(text)))
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
