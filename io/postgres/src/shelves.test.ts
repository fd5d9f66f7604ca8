import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { shelfOf, SHELVES } from './shelves.ts'

const DAY_MS = 86_400_000
const MIDNIGHT = Date.UTC(2026, 4, 1)

test('ten days in a row lie on ten shelves', () => {
  const shelves = SHELVES.map((day) => shelfOf(instant(MIDNIGHT + day * DAY_MS)))
  expect(new Set(shelves).size).toBe(SHELVES.length)
  expect(shelfOf(instant(MIDNIGHT))).toBe(shelfOf(instant(MIDNIGHT + DAY_MS - 1)))
  expect(shelfOf(instant(MIDNIGHT + SHELVES.length * DAY_MS))).toBe(shelfOf(instant(MIDNIGHT)))
})
