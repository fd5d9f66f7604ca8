import { type Bytes, joinBytes } from '@sealpost/crypto'
import { type DerElement, TAG, unsignedOf } from '@sealpost/crypto/der'
import { insideOf, MalformedSeal, oidOf, readOne } from './asn1.ts'
import { CURVES, type HashName, HASHES, OIDS, SIGNATURE_HASHES } from './object-ids.ts'
import type { SealCrypto } from './web-crypto.ts'

export interface SignedContent {
  /** SubjectPublicKeyInfo. */
  readonly key: Bytes
  readonly hash: HashName
  readonly signature: Bytes
  readonly content: Bytes
}

/** RSA with PKCS#1 v1.5, or ECDSA; false for anything that does not verify. */
export async function verifySignature(crypto: SealCrypto, signed: SignedContent): Promise<boolean> {
  const { key, hash, signature, content } = signed
  const [algorithm] = insideOf(readOne(key), TAG.sequence)
  const [kind, curve] = insideOf(algorithm, TAG.sequence)
  try {
    if (oidOf(kind) === OIDS.rsaEncryption) {
      const parameters = { name: 'RSASSA-PKCS1-v1_5', hash } as const
      const imported = await crypto.subtle.importKey('spki', key, parameters, false, ['verify'])
      return await crypto.subtle.verify(parameters, imported, signature, content)
    }
    const known = oidOf(kind) === OIDS.ecPublicKey ? CURVES.get(oidOf(curve)) : undefined
    if (known === undefined) return false
    const parameters = { name: 'ECDSA', namedCurve: known.name } as const
    const imported = await crypto.subtle.importKey('spki', key, parameters, false, ['verify'])
    return await crypto.subtle.verify({ name: 'ECDSA', hash }, imported, plainEcdsa(signature, known.bytes), content)
  } catch (error) {
    if (error instanceof MalformedSeal) throw error
    // A key that the host cannot import.
    return false
  }
}

/** The hash of a signature: named by its own algorithm, or beside it. */
export function hashOf(algorithm: DerElement | undefined, digestAlgorithm?: DerElement): HashName {
  const [oid] = insideOf(algorithm, TAG.sequence)
  const own = SIGNATURE_HASHES.get(oidOf(oid))
  if (own !== undefined) return own
  const beside =
    digestAlgorithm === undefined ? undefined : HASHES.get(oidOf(insideOf(digestAlgorithm, TAG.sequence)[0]))
  if (oidOf(oid) !== OIDS.rsaEncryption || beside === undefined || beside === 'SHA-1')
    throw new MalformedSeal('unknown signature algorithm')
  return beside
}

/** WebCrypto has r and s as numbers of a fixed length. */
function plainEcdsa(signature: Bytes, length: number): Bytes {
  const [r, s, ...others] = insideOf(readOne(signature), TAG.sequence)
  if (others.length > 0) throw new MalformedSeal('not an ECDSA signature')
  return joinBytes([r, s].map((number) => padded(unsignedOf(number), length)))
}

function padded(digits: Bytes | null, length: number): Bytes {
  if (digits === null || digits.length > length) throw new MalformedSeal('not an ECDSA signature')
  return joinBytes([new Uint8Array(length - digits.length), digits])
}
