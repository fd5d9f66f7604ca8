import { type Instant, parseInstant } from '@sealpost/kernel'
import { encodeHex } from './codecs/hex.ts'
import type { CryptoPlatform } from './platform.ts'

/** The members of a verified value; a server's answer may lack them. */
export interface Attestation {
  readonly verified_hash?: string | null
  readonly verified_salt?: string | null
  readonly verified_expires_at?: string | null
}

/**
 * Whether the opened text is the verified one, and the verification is valid at `now`. Pass the text before parsing it.
 * False means not attested; it does not mean wrong.
 */
export async function isAttested(
  platform: CryptoPlatform,
  { verified_hash: hash, verified_salt: salt, verified_expires_at: expiry }: Attestation,
  plaintext: string,
  now: Instant,
): Promise<boolean> {
  if (typeof hash !== 'string' || typeof salt !== 'string' || hasExpired(expiry, now)) return false
  return hash === (await hashVerified(platform, salt, plaintext))
}

/** Lower case hex of SHA-256 over salt and text, both as UTF-8; null when the salt is not 32 characters of hex. */
export async function hashVerified(
  { crypto, utf8 }: CryptoPlatform,
  salt: string,
  plaintext: string,
): Promise<string | null> {
  const bytes = /^[0-9a-f]{32}$/.test(salt) ? utf8.encode(salt + plaintext) : null
  return bytes === null ? null : encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** An unreadable end date counts as passed. */
function hasExpired(expiry: unknown, now: Instant): boolean {
  if (expiry === undefined || expiry === null) return false
  const end = typeof expiry === 'string' ? parseInstant(expiry) : null
  return end === null || end <= now
}
