import { type Instant, instant } from '@sealpost/kernel'
import { type Partition, partitionOf } from '@sealpost/postgres'

/**
 * [Note: outbox partitions] See [Note: daily partitions]. A day is carried over after the history if it is unconfirmed by
 * then, and kept for the history again: 1 + 2 · 7 days for the longest history, and a spare one.
 */
export const OUTBOX_PARTITIONS = 16
export const LONGEST_HISTORY_HOURS = 168

/** `2026-05-01`, in UTC. */
export type Day = string

export function dayOf(at: Instant): Day {
  return new Date(at).toISOString().slice(0, 10)
}

export function partitionOfDay(day: Day): Partition {
  return partitionOf(startOf(day), OUTBOX_PARTITIONS)
}

/** The end of a day is the start of the next. */
export function endOf(day: Day): Instant {
  return instant(startOf(day) + 86_400_000)
}

function startOf(day: Day): Instant {
  return instant(Date.parse(`${day}T00:00:00Z`))
}
