import { expect, test } from 'vitest'
import { endOfNotice } from './end-of-notice.ts'

test('the notice is counted in days of UTC', () => {
  expect(endOfNotice(Date.parse('2026-12-31T23:30:00Z'), 30)).toBe('2027-01-30')
  expect(endOfNotice(Date.parse('2026-12-31T23:30:00-02:00'), 0)).toBe('2027-01-01')
})
