import { createHmac, timingSafeEqual } from 'node:crypto'
import { findKey, type Instant, instant, type Keyring, type NamedKey, type Random } from '@sealpost/kernel'

export const CODE_MINUTES = 10
export const CODE_TRIES = 5
const DIGITS = 6
const CODES = 10 ** DIGITS
/** The largest multiple of a million below 2^32: draws above it would make low codes more likely. */
const FAIR = 2 ** 32 - (2 ** 32 % CODES)

/** A code at rest: a keyed hash, because a million guesses are cheap without a key. */
export interface CodeHash {
  readonly keyId: string
  readonly hash: Uint8Array
}

export function newCode(random: Random): string {
  for (;;) {
    const drawn = Buffer.from(random.bytes(4)).readUInt32BE()
    if (drawn < FAIR) return String(drawn % CODES).padStart(DIGITS, '0')
  }
}

/** `purpose` names the use and the user: a code is valid for that alone. */
export function hashCode(pepper: Keyring, code: string, purpose: string): CodeHash {
  return { keyId: pepper.active.id, hash: keyedHash(pepper.active, code, purpose) }
}

export function matchesCode(pepper: Keyring, stored: CodeHash, code: string, purpose: string): boolean {
  const key = findKey(pepper, stored.keyId)
  return key !== null && timingSafeEqual(keyedHash(key, code, purpose), stored.hash)
}

export function codeEnd(now: Instant): Instant {
  return instant(now + CODE_MINUTES * 60_000)
}

function keyedHash({ key }: NamedKey, code: string, purpose: string): Buffer {
  return createHmac('sha256', key.reveal()).update(`mailed code:${purpose}:${code}`).digest()
}
