import { formatInstant, instant } from '@sealpost/kernel'

export const NOW = instant(Date.UTC(2026, 0, 1))
export const ISSUER = 'https://id.example'
export const VERIFICATION = { id: 'a', challenge: 'the challenge', fieldType: 'passport' }

/** The statement of a provider that confirms the verification. */
export const STATEMENT = {
  iss: ISSUER,
  verification_id: 'a',
  challenge: 'the challenge',
  field_type: 'passport',
  hash: 'a'.repeat(64),
  salt: 'b'.repeat(32),
  verified_at: formatInstant(NOW),
  expires_at: formatInstant(instant(NOW + 1)),
}
