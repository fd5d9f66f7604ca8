import type { Instant, Random } from '@sealpost/kernel'
import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** Clocks of phones differ, and typing takes time: the code before and the one after count, too. */
const TOLERANCE = 1
const CODE = /^\d{6}$/

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, thirty seconds. */
const SHAPE = { issuer: 'Sealpost', algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const

/** In base32, as people type it. */
export function newTotpSecret(random: Random): string {
  return new Secret({ buffer: Uint8Array.from(random.bytes(SECRET_BYTES)).buffer }).base32
}

/** What a QR code shows. */
export function totpUrl(secret: string, label: string): string {
  return new TOTP({ ...SHAPE, label, secret }).toString()
}

/** The number of the time step whose code this is; null when it is the code of none that counts now. */
export function findStep(secret: string, code: string, now: Instant): number | null {
  if (!CODE.test(code)) return null
  const delta = new TOTP({ ...SHAPE, secret }).validate({ token: code, timestamp: now, window: TOLERANCE })
  return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp: now }) + delta
}
