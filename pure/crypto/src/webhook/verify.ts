import { accept, decline, type Instant, type Result } from '@sealpost/kernel'
import { isEqualInConstantTime } from '../codecs/constant-time.ts'
import { decodeHex } from '../codecs/hex.ts'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import type { WebhookKey } from './secret.ts'
import { computeMac, standardContent } from './sign.ts'

/** The headers as received; a missing header is null or absent. */
export interface StandardHeaders {
  readonly id?: string | null
  readonly timestamp?: string | null
  readonly signature?: string | null
}

export type SignatureRefusal = 'signature_malformed' | 'signature_mismatch' | 'timestamp_too_far'

export const TOLERANCE_SECONDS = 300
/** A sender has ten secrets at most; a longer list is an attack. */
const SIGNATURE_LIMIT = 16

/**
 * Verifies `webhook-signature` over the raw bytes of the body. Every secret of the receiver is tried against every
 * signature of the list, so that either side may rotate first. Returns when the delivery was signed.
 */
export async function verifyStandardSignature(
  platform: CryptoPlatform,
  keys: readonly WebhookKey[],
  headers: StandardHeaders,
  body: Bytes,
  { now, toleranceSeconds = TOLERANCE_SECONDS }: { readonly now: Instant; readonly toleranceSeconds?: number },
): Promise<Result<{ readonly signedAtSeconds: number }, SignatureRefusal>> {
  const given = readHeaders(platform, headers)
  if (given === null) return decline('signature_malformed')
  const signedAtSeconds = Number(given.timestamp)
  if (Math.abs(Math.floor(now / 1000) - signedAtSeconds) > toleranceSeconds) return decline('timestamp_too_far')
  const content = standardContent(platform, given.id, given.timestamp, body)
  const macs = await Promise.all(keys.map((key) => computeMac(platform, key.standard, content)))
  const isKnown = macs.some((mac) => given.signatures.some((signature) => isEqualInConstantTime(mac, signature)))
  return isKnown ? accept({ signedAtSeconds }) : decline('signature_mismatch')
}

/** Verifies `X-Platform-Signature` over the raw bytes of the body. It carries no time: a replay is not detected. */
export async function verifyPlatformSignature(
  platform: CryptoPlatform,
  keys: readonly WebhookKey[],
  header: string | null | undefined,
  body: Bytes,
): Promise<Result<null, 'signature_malformed' | 'signature_mismatch'>> {
  const signature = typeof header === 'string' && header.length === 64 ? decodeHex(header) : null
  if (signature === null) return decline('signature_malformed')
  const macs = await Promise.all(keys.map((key) => computeMac(platform, key.platform, body)))
  return macs.some((mac) => isEqualInConstantTime(mac, signature)) ? accept(null) : decline('signature_mismatch')
}

interface ReadHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signatures: readonly Bytes[]
}

/** Versions other than `v1` are ignored; at least one `v1` is required. */
function readHeaders({ base64 }: CryptoPlatform, headers: StandardHeaders): ReadHeaders | null {
  const { id, timestamp, signature } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return null
  if (id === '' || !id.isWellFormed() || !/^(0|[1-9]\d{0,11})$/.test(timestamp)) return null
  const signatures = signature
    .split(' ', SIGNATURE_LIMIT)
    .filter((entry) => entry.startsWith('v1,') && entry.length === 47)
    .map((entry) => base64.decode(entry.slice(3)))
    .filter((mac) => mac !== null)
  return signatures.length === 0 ? null : { id, timestamp, signatures }
}
