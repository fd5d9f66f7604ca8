import { expect, test } from 'vitest'
import { instant } from './clock.ts'
import { createIds, parseClientId, parseUuid } from './ids.ts'

const still = { now: () => instant(1_777_000_000_000) }
const counting = () => {
  let next = 0
  return { bytes: (length: number) => Uint8Array.from({ length }, () => next++ & 0xff) }
}

test('ids of one process are version 7 and sort in the order they were made, also within a millisecond', () => {
  const ids = createIds(still, counting())
  const made = Array.from({ length: 5000 }, () => ids.uuid())
  expect(made.every((id) => parseUuid(id) !== null)).toBe(true)
  expect(made.toSorted()).toEqual(made)
  expect(new Set(made).size).toBe(5000)
})

test('a clock that steps back does not make ids run backwards', () => {
  let nowMs = 2000
  const ids = createIds({ now: () => instant(nowMs) }, counting())
  const first = ids.uuid()
  nowMs = 1000
  expect(ids.uuid() > first).toBe(true)
})

test('client ids carry their kind and 24 characters, secrets are 43 characters of base64url', () => {
  const ids = createIds(still, counting())
  expect(ids.clientId('svc')).toMatch(/^svc_[A-Za-z0-9]{24}$/)
  expect(ids.clientSecret()).toMatch(/^[A-Za-z0-9_-]{43}$/)
})

test('share codes have six characters, none of which is mistaken for another', () => {
  const ids = createIds(still, counting())
  const codes = Array.from({ length: 100 }, () => ids.shareCode())
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
  expect(new Set(codes.join('')).size).toBe(32)
})

test('a secret is the base64url of its random bytes', () => {
  const ids = createIds(still, { bytes: (length) => new Uint8Array(length).fill(0xfb) })
  expect(ids.clientSecret()).toBe(Buffer.alloc(32, 0xfb).toString('base64url'))
})

test.each(['SVC_aaaaaaaaaaaaaaaaaaaaaaaa', 'svc_short', 'foo_aaaaaaaaaaaaaaaaaaaaaaaa', ''])(
  '%j is not a client id',
  (text) => {
    expect(parseClientId(text)).toBeNull()
  },
)

test.each(['019A0000-0000-7000-8000-000000000000', '019a0000-0000-4000-8000-000000000000', 'x'])(
  '%j is not an id',
  (text) => {
    expect(parseUuid(text)).toBeNull()
  },
)
