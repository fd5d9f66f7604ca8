import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { dayOf, endOf, LONGEST_HISTORY_HOURS, OUTBOX_PARTITIONS, partitionOfDay } from './partitions.ts'

test('a day is over before its partition comes into use again, also with the longest history', () => {
  const days = 1 + 2 * (LONGEST_HISTORY_HOURS / 24)
  expect(days).toBeLessThan(OUTBOX_PARTITIONS)
})

test('a day ends where the next begins, in the next partition', () => {
  const day = dayOf(instant(Date.UTC(2026, 1, 28, 23, 59)))
  expect(day).toBe('2026-02-28')
  const next = dayOf(endOf(day))
  expect(next).toBe('2026-03-01')
  expect(partitionOfDay(next)).toBe((partitionOfDay(day) + 1) % OUTBOX_PARTITIONS)
})
