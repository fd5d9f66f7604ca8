import { formatInstant, instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { ISSUER, NOW, STATEMENT, VERIFICATION } from '../testing/statement.ts'
import { readStatement } from './statement.ts'

const at = (ms: number): string => formatInstant(instant(NOW + ms))

test('a statement about this verification is accepted', () => {
  const { hash, salt } = STATEMENT
  const read = (change: object) => readStatement({ ...STATEMENT, ...change }, ISSUER, VERIFICATION, NOW)
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
  expect(readStatement({ ...STATEMENT, ...change }, ISSUER, VERIFICATION, NOW)).toBeNull()
})
