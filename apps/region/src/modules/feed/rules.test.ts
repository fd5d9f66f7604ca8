import { instant } from '@sealpost/kernel'
import { shelfOf } from '@sealpost/postgres'
import { expect, test } from 'vitest'
import { dayToSweep, oldestKept, oldestVisible } from './rules.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MIDNIGHT = Date.UTC(2026, 4, 1)

test('the shelf that is swept holds nothing that can be seen, asked for again or written by a clock a day ahead', () => {
  const harmed: string[] = []
  for (let hour = 0; hour < 24 * 20; hour += 0.25) {
    const now = instant(MIDNIGHT + hour * HOUR_MS)
    const swept = shelfOf(dayToSweep(now))
    for (let ageHours = -22; ageHours <= 7 * 24 + 0.5; ageHours += 0.25)
      if (shelfOf(instant(now - ageHours * HOUR_MS)) === swept) harmed.push(`${ageHours} h old, at hour ${hour}`)
  }
  expect(harmed).toEqual([])
})

test('every shelf is swept within nine days after it was written to', () => {
  const written = instant(MIDNIGHT)
  const isSwept = (now: number): boolean => shelfOf(dayToSweep(instant(now))) === shelfOf(written)
  expect(isSwept(MIDNIGHT + 8 * DAY_MS + 2 * HOUR_MS)).toBe(true)
  expect(isSwept(MIDNIGHT + 7 * DAY_MS + 23 * HOUR_MS)).toBe(false)
})

test('what nobody sees is kept for a page that may be asked for again', () => {
  const now = instant(MIDNIGHT)
  expect(now - oldestVisible(now)).toBe(7 * DAY_MS)
  expect(oldestVisible(now) - oldestKept(now)).toBeGreaterThan(300_000)
})
