import { expect, test } from 'vitest'
import { formatInstant, instant, parseInstant } from './clock.ts'

test('timestamps are UTC with milliseconds and an explicit offset', () => {
  expect(formatInstant(instant(Date.UTC(2026, 4, 1, 9, 30)))).toBe('2026-05-01T09:30:00.000+00:00')
})

test.each([
  0,
  1,
  999,
  86_399_999,
  86_400_000,
  Date.UTC(2024, 1, 29, 23, 59, 59, 7),
  Date.UTC(2026, 11, 31, 23, 59, 59, 999),
  253_402_300_799_999,
  253_402_300_800_000,
  -1,
  1.5,
])('%d is formatted like the engine does', (ms) => {
  expect(formatInstant(instant(ms))).toBe(new Date(ms).toISOString().replace('Z', '+00:00'))
})

test.each([
  ['2026-05-01T09:30:00.000+00:00', Date.UTC(2026, 4, 1, 9, 30)],
  ['2026-05-01T09:30:00Z', Date.UTC(2026, 4, 1, 9, 30)],
  ['2026-05-01T11:30:00.5+02:00', Date.UTC(2026, 4, 1, 9, 30, 0, 500)],
])('%s is read', (text, ms) => {
  expect(parseInstant(text)).toBe(ms)
})

test.each(['2026-05-01', '2026-05-01T09:30:00', '2026-13-01T09:30:00Z', 'now', ''])('%j is refused', (text) => {
  expect(parseInstant(text)).toBeNull()
})
