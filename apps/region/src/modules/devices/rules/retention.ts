import { type Instant, instant } from '@sealpost/kernel'

const DAY_MS = 86_400_000
/** Today, yesterday, tomorrow for clocks that run ahead, and the one that is emptied; see [Note: daily partitions]. */
export const HINT_PARTITIONS = 4

/** Hints are kept for a day: a device that was away for longer reads everything again. */
export function oldestKept(now: Instant): Instant {
  return instant(now - DAY_MS)
}

/** A moment of the day whose hints have all expired. */
export function dayToEmpty(now: Instant): Instant {
  return instant(now - 2 * DAY_MS)
}
