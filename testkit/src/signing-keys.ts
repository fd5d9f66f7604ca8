import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

type Bytes = Uint8Array<ArrayBuffer>

/** A new key pair that signs at once, for tests that write signed data themselves. */
export interface SigningKey {
  /** SubjectPublicKeyInfo. */
  readonly spki: Bytes
  /** The OID of the algorithm with which it signs. */
  readonly algorithm: string
  sign(content: Bytes): Bytes
}

export function ecKey(namedCurve = 'P-256', digest = 'sha256', algorithm = '1.2.840.10045.4.3.2'): SigningKey {
  return signingKey(generateKeyPairSync('ec', { namedCurve }), digest, algorithm)
}

export function rsaKey(digest = 'sha256', algorithm = '1.2.840.113549.1.1.11'): SigningKey {
  return signingKey(generateKeyPairSync('rsa', { modulusLength: 2048 }), digest, algorithm)
}

export function hashOf(name: 'sha1' | 'sha256' | 'sha384' | 'sha512', content: Bytes): Bytes {
  return Uint8Array.from(createHash(name).update(content).digest())
}

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

function signingKey({ publicKey, privateKey }: Pair, digest: string, algorithm: string): SigningKey {
  const spki = Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }))
  return { spki, algorithm, sign: (content) => Uint8Array.from(sign(digest, content, privateKey)) }
}
