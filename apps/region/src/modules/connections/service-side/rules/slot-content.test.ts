import { formatInstant, instant } from '@sealpost/kernel'
import type { SlotAnswer } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import type { StoredFile } from '../model.ts'
import { contentOf, liveAttested, readTime } from './slot-content.ts'

const DAY_MS = 86_400_000
const now = instant(Date.UTC(2027, 0, 31))
const earlier = instant(now - DAY_MS)
const file = { objectKey: 'a key' } as unknown as StoredFile
const answer: SlotAnswer = {
  request_field_id: '00000000-0000-7000-8000-000000000001',
  rev: 4,
  live: true,
  is_private: true,
  value: 'a wrapper',
  file: null,
  attested: null,
  at: formatInstant(earlier),
}
const settings = { now, shareOnceDays: 3 }

test('a slot holds what the answer says', () => {
  expect(contentOf({ ...answer, sender_signature: 'signed' }, null, settings)).toEqual({
    requestFieldId: answer.request_field_id,
    rev: 4,
    live: true,
    isPrivate: true,
    value: 'a wrapper',
    file: null,
    senderSignature: 'signed',
    attested: null,
    at: earlier,
    expiresAt: null,
  })
  expect(contentOf(answer, null, settings).senderSignature).toBeNull()
  expect(() => contentOf({ ...answer, request_field_id: 'x' }, null, settings)).toThrow('invalid request field id')
})

test.each([
  ['a live file', true, file, null],
  ['a value shared once', false, null, null],
  ['a file shared once', false, file, earlier + 3 * DAY_MS],
])('%s expires accordingly', (_, live, held, expiresAt) => {
  expect(contentOf({ ...answer, live }, held, settings)).toMatchObject({ live, file: held, expiresAt })
})

test('a time that is to come, or that cannot be read, is now', () => {
  expect(readTime(formatInstant(earlier), now)).toBe(earlier)
  expect(readTime(formatInstant(now), now)).toBe(now)
  expect(readTime(formatInstant(instant(now + 1)), now)).toBe(now)
  expect(readTime('yesterday', now)).toBe(now)
})

describe('an attestation', () => {
  const attested = {
    verified_hash: 'a'.repeat(64),
    verified_salt: 'b'.repeat(32),
    verified_at: formatInstant(earlier),
    verified_expires_at: formatInstant(instant(now + 1)),
    verified_method: null,
    verified_provider: null,
    verification_id: null,
  } as unknown as NonNullable<SlotAnswer['attested']>

  test('is kept until it expires', () => {
    expect(liveAttested(attested, now)).toEqual(attested)
    expect(liveAttested({ ...attested, verified_expires_at: formatInstant(now) }, now)).toBeNull()
    expect(contentOf({ ...answer, attested }, null, settings).attested).toEqual(attested)
  })

  test('is dropped when it cannot be read', () => {
    expect(liveAttested(null, now)).toBeNull()
    expect(liveAttested({ ...attested, verified_hash: 'short' }, now)).toBeNull()
  })
})
