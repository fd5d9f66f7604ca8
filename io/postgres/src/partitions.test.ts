import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { createPartitions, DAILY_PARTITIONS, partitionOf } from './partitions.ts'

const DAY_MS = 86_400_000
const MIDNIGHT = Date.UTC(2026, 4, 1)

test.each([DAILY_PARTITIONS, 16])('%i days in a row lie in as many partitions', (count) => {
  const days = Array.from({ length: count }, (_, day) => partitionOf(instant(MIDNIGHT + day * DAY_MS), count))
  expect(new Set(days).size).toBe(count)
  expect(partitionOf(instant(MIDNIGHT), count)).toBe(partitionOf(instant(MIDNIGHT + DAY_MS - 1), count))
  expect(partitionOf(instant(MIDNIGHT + count * DAY_MS), count)).toBe(partitionOf(instant(MIDNIGHT), count))
})

test('a migration creates a table for each partition', () => {
  expect(createPartitions('note', 2)).toBe(
    'create table note_0 partition of note for values in (0);\ncreate table note_1 partition of note for values in (1);',
  )
})
