import { instant } from '@sealpost/kernel'
import { partitionOf } from '@sealpost/postgres'
import { expect, test } from 'vitest'
import { dayToSweep, expiryOf, oldestKept, oldestVisible } from './retention.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MIDNIGHT = Date.UTC(2026, 4, 1)

test('the swept partition holds no event that is visible, repeatable or written by a clock that is a day ahead', () => {
  const harmed: string[] = []
  for (let hour = 0; hour < 24 * 20; hour += 0.25) {
    const now = instant(MIDNIGHT + hour * HOUR_MS)
    const swept = partitionOf(dayToSweep(now))
    for (let ageHours = -22; ageHours <= 7 * 24 + 0.5; ageHours += 0.25)
      if (partitionOf(instant(now - ageHours * HOUR_MS)) === swept) harmed.push(`${ageHours} h old, at hour ${hour}`)
  }
  expect(harmed).toEqual([])
})

test('every partition is swept within nine days after its last write', () => {
  const written = instant(MIDNIGHT)
  const isSwept = (now: number): boolean => partitionOf(dayToSweep(instant(now))) === partitionOf(written)
  expect(isSwept(MIDNIGHT + 8 * DAY_MS + 2 * HOUR_MS)).toBe(true)
  expect(isSwept(MIDNIGHT + 7 * DAY_MS + 23 * HOUR_MS)).toBe(false)
})

test('invisible events are kept for pages that may be requested again', () => {
  const now = instant(MIDNIGHT)
  expect(now - oldestVisible(now)).toBe(7 * DAY_MS)
  expect(oldestVisible(now) - oldestKept(now)).toBeGreaterThan(300_000)
})

test('an event expires when it is 7 days old', () => {
  expect(expiryOf(instant(1))).toBe(7 * 86_400_000 + 1)
  expect(expiryOf(null)).toBeNull()
})
