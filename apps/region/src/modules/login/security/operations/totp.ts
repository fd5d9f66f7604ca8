import type { Instant, Random } from '@sealpost/kernel'
import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** Clocks differ and typing takes time: the codes of the previous and the next step are accepted, too. */
const TOLERANCE = 1
const CODE = /^\d{6}$/

/** RFC 6238 with the parameters of authenticator apps: SHA-1, six digits, thirty seconds. */
const SHAPE = { issuer: 'Sealpost', algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const

/** In base32, the form that users type. */
export function newTotpSecret(random: Random): string {
  return new Secret({ buffer: Uint8Array.from(random.bytes(SECRET_BYTES)).buffer }).base32
}

/** The content of the QR code. */
export function totpUrl(secret: string, label: string): string {
  return new TOTP({ ...SHAPE, label, secret }).toString()
}

/** The time step of this code; null unless it is the present one or next to it. */
export function findStep(secret: string, code: string, now: Instant): number | null {
  if (!CODE.test(code)) return null
  const delta = new TOTP({ ...SHAPE, secret }).validate({ token: code, timestamp: now, window: TOLERANCE })
  return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp: now }) + delta
}
