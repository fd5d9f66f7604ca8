import { expect, test } from 'vitest'
import { formatBytes, formatDate, formatWhen } from './formats.ts'

const now = Date.parse('2026-11-17T12:00:00Z')

test('a time is relative up to a day, then it is a date', () => {
  expect(formatWhen('en', '2026-11-17T11:58:00Z', now)).toBe('2 minutes ago')
  expect(formatWhen('de', '2026-11-17T09:00:00Z', now)).toBe('vor 3 Stunden')
  expect(formatWhen('en', '2026-11-17T11:59:50Z', now)).toBe('now')
  expect(formatWhen('en', '2026-11-12T12:00:00Z', now)).toBe('12 November')
  expect(formatWhen('de', '2025-06-03T12:00:00Z', now)).toBe('3. Juni 2025')
})

test('a date of a value is the same in every time zone', () => {
  expect(formatDate('en', '1987-03-09')).toBe('9 March 1987')
  expect(formatDate('de', '1987-03-09')).toBe('9. März 1987')
  expect(formatDate('en', 'soon')).toBe('soon')
})

test('a size is said in the largest unit that fits', () => {
  expect(formatBytes('en', 0)).toBe('0 kB')
  expect(formatBytes('en', 2_400_000)).toBe('2.4 MB')
  expect(formatBytes('en', 20_000_000_000)).toBe('20 GB')
  expect(formatBytes('de', 1_500_000_000)).toMatch(/^1,5\sGB$/u)
})
