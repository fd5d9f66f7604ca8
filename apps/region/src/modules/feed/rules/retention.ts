import { EVENT_RETENTION_MS, instant, type Instant } from '@sealpost/kernel'

const DAY_MS = 86_400_000

/** Margin before a day is swept: a page that was answered before may be requested again. */
const SWEEP_MARGIN_MS = 3_600_000

/** A moment of the day whose partition holds nothing visible or new: [Note: daily partitions]. */
export function dayToSweep(now: Instant): Instant {
  return instant(now - SWEEP_MARGIN_MS - EVENT_RETENTION_MS - DAY_MS)
}

/** Older events are invisible. */
export function oldestVisible(now: Instant): Instant {
  return instant(now - EVENT_RETENTION_MS)
}

/** When an event of this time expires. */
export function expiryOf(at: Instant): Instant
export function expiryOf(at: Instant | null): Instant | null
export function expiryOf(at: Instant | null): Instant | null {
  return at === null ? null : instant(at + EVENT_RETENTION_MS)
}

/** Older events are neither visible nor part of a page that can be requested again. */
export function oldestKept(now: Instant): Instant {
  return instant(oldestVisible(now) - SWEEP_MARGIN_MS)
}
