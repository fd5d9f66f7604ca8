import type { Bytes } from '@sealpost/crypto'
import { TAG } from '@sealpost/crypto/der'
import { contentOf, insideOf, isSame, MalformedSeal, oidOf, readOne, timeOf } from './asn1.ts'
import { type Certificate, isTrusted } from './certificate.ts'
import { HASHES, OIDS } from './object-ids.ts'
import { readSignedData, verifySignedData } from './signed-data.ts'
import { digest, type SealCrypto } from './web-crypto.ts'

/** A time-stamp token (RFC 3161) that matches the stamped bytes. */
export interface Timestamp {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly authority: Certificate
  /** Those that the token brings. */
  readonly certificates: readonly Certificate[]
  /** Null if the token has none. */
  readonly nonce: Bytes | null
  readonly isTrusted: boolean
}

/** Null for a token that is not valid for these bytes. */
export async function verifyTimestamp(
  crypto: SealCrypto,
  token: Bytes,
  stamped: Bytes,
  trusted: readonly Certificate[],
): Promise<Timestamp | null> {
  const data = readSignedData(token)
  if (data.contentType !== OIDS.timeStampInfo || data.content === null) throw new MalformedSeal('not a time-stamp')
  if (!(await verifySignedData(crypto, data, data.content))) return null
  // RFC 3161: the key of an authority is for time-stamps only.
  if (data.signer.purposes?.length !== 1 || data.signer.purposes[0] !== OIDS.timeStamping) return null
  const members = insideOf(readOne(data.content), TAG.sequence)
  const [algorithm, imprint] = insideOf(members[2], TAG.sequence)
  const hash = HASHES.get(oidOf(insideOf(algorithm, TAG.sequence)[0]))
  if (hash === undefined || hash === 'SHA-1') return null
  if (!isSame(contentOf(imprint, TAG.octetString), await digest(crypto, hash, stamped))) return null
  const at = timeOf(members[4])
  const nonce = members.slice(5).find(({ tag }) => tag === TAG.integer)
  return {
    at,
    authority: data.signer,
    certificates: data.certificates,
    nonce: nonce?.content ?? null,
    isTrusted: await isTrusted(crypto, data.signer, { others: data.certificates, trusted, at }),
  }
}
