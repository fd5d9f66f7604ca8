import { instant } from '@sealpost/kernel'
import { seededRandom } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { drawDigits, isForgotten, outcomeAt } from './life.ts'

const expiresAt = instant(1_000_000)
const pending = { outcome: null, expiresAt }
const denied = { outcome: { status: 'denied', completedAt: instant(900_000) }, expiresAt } as const
const DAY_MS = 24 * 3_600_000

test('a challenge is pending until the last millisecond of its lifetime [TWOFA-13]', () => {
  expect(outcomeAt(pending, instant(999_999))).toBeNull()
  expect(outcomeAt(pending, expiresAt)).toEqual({ status: 'expired', completedAt: expiresAt })
  expect(outcomeAt(denied, instant(5_000_000))).toEqual(denied.outcome)
})

test('it is forgotten a day after its end', () => {
  expect(isForgotten(pending, instant(1_000_000 + DAY_MS - 1))).toBe(false)
  expect(isForgotten(pending, instant(1_000_000 + DAY_MS))).toBe(true)
  expect(isForgotten(denied, instant(900_000 + DAY_MS))).toBe(true)
})

test('digits are 10 to 99, each equally likely [TWOFA-27]', () => {
  const random = seededRandom(7)
  const drawn = Map.groupBy(
    Array.from({ length: 18_000 }, () => drawDigits(random)),
    (digits) => digits,
  )
  expect([...drawn.keys()].toSorted()).toEqual(Array.from({ length: 90 }, (_, place) => String(10 + place)))
  for (const group of drawn.values()) expect(group.length).toBeGreaterThan(130)
})
