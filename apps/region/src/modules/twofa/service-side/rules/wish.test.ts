import { expect, test } from 'vitest'
import { type GivenChallenge, readWish } from './wish.ts'

const GIVEN = { share_code: ' maraxx ', idempotency_key: 'attempt-1', context: 'Login from Bern' }
const keyOf = (given: GivenChallenge) => {
  const read = readWish({ ...GIVEN, ...given })
  return read.ok ? null : read.refusal.key
}

test('codes are trimmed and upper-cased, texts are composed', () => {
  expect(readWish({ ...GIVEN, context: 'e\u0301' })).toEqual({
    ok: true,
    value: { shareCode: 'MARAXX', idempotencyKey: 'attempt-1', context: 'é' },
  })
  expect(readWish({ share_code: 'A', idempotency_key: 'k' })).toMatchObject({ value: { context: null } })
})

test('a missing person or key has its own refusal [TWOFA-02][TWOFA-03]', () => {
  expect(keyOf({ share_code: undefined })).toBe('twofa.share_code_required')
  expect(keyOf({ share_code: '' })).toBe('twofa.share_code_required')
  expect(keyOf({ idempotency_key: null })).toBe('twofa.idempotency_key_required')
  expect(keyOf({ share_code: 7 })).toBe('request.invalid')
  expect(keyOf({ idempotency_key: {} })).toBe('request.invalid')
})

test('lengths count code points [TWOFA-04]', () => {
  expect(keyOf({ context: '😀'.repeat(200) })).toBeNull()
  expect(keyOf({ context: '😀'.repeat(201) })).toBe('twofa.context_too_long')
  expect(keyOf({ idempotency_key: '😀'.repeat(64) })).toBeNull()
  expect(keyOf({ idempotency_key: 'k'.repeat(65) })).toBe('request.invalid')
})

test('control characters are refused, except newlines of the context', () => {
  expect(keyOf({ context: 'one\ntwo' })).toBeNull()
  for (const context of ['a\tb', 'a\u0000b', 'a\u0085b', 'a\ud800b']) expect(keyOf({ context })).toBe('request.invalid')
  expect(keyOf({ idempotency_key: 'a\nb' })).toBe('request.invalid')
})
