import { formatInstant, instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { readStatement } from './statement.ts'

const NOW = instant(Date.UTC(2026, 0, 1))
const ISSUER = 'https://id.example'
const verification = { id: 'a', challenge: 'the challenge', fieldType: 'passport' }
const right = {
  iss: ISSUER,
  verification_id: 'a',
  challenge: 'the challenge',
  field_type: 'passport',
  hash: 'a'.repeat(64),
  salt: 'b'.repeat(32),
  verified_at: formatInstant(NOW),
  expires_at: formatInstant(instant(NOW + 1)),
}
const at = (ms: number): string => formatInstant(instant(NOW + ms))

test('a statement about this verification is accepted', () => {
  const { hash, salt } = right
  const read = (change: object) => readStatement({ ...right, ...change }, ISSUER, verification, NOW)
  expect(read({})).toEqual({ hash, salt, verifiedAt: NOW, expiresAt: NOW + 1 })
  expect(read({ expires_at: null })).toMatchObject({ expiresAt: null })
  expect(read({ verified_at: at(30_000), expires_at: null })).toMatchObject({ verifiedAt: NOW + 30_000 })
})

test.each([
  ['another issuer', { iss: 'https://other.example' }],
  ['another verification', { verification_id: 'b' }],
  ['another challenge', { challenge: 'another' }],
  ['no challenge', { challenge: null }],
  ['another type', { field_type: 'photo_id' }],
  ['an invalid hash', { hash: 'A'.repeat(64) }],
  ['an invalid salt', { salt: 'b'.repeat(31) }],
  ['a time in the future', { verified_at: at(61_000), expires_at: null }],
  ['an invalid time', { verified_at: 1_767_225_600 }],
  ['an end that has passed', { expires_at: at(0) }],
  ['an end that cannot be read', { expires_at: 'soon' }],
  ['an end of another kind', { expires_at: 1_798_761_600 }],
  ['an end before its beginning', { verified_at: at(50_000), expires_at: at(40_000) }],
])('a statement with %s is refused', (_, change) => {
  expect(readStatement({ ...right, ...change }, ISSUER, verification, NOW)).toBeNull()
})
