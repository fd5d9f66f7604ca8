import { instant, type Instant } from '@sealpost/kernel'

const DAY_MS = 86_400_000

/** Events wait this long; then nobody sees them any more. */
const KEPT_DAYS = 7
/** What may still be asked for again when a day is over. */
const GRACE_MS = 3_600_000

/** How long the same attempt answers the same page. */
const ATTEMPT_MS = 300_000
/** How long a page belongs to the call that took it, unless that call ends before. */
export const LEASE_SECONDS = 60
/** A listener that nobody polls is dropped after this long. */
export const LISTENER_MS = 3_600_000
/** Polls in quick succession need not each write down that there was one. */
export const LISTENER_TOUCH_MS = 60_000

/** Nothing visible or new lies on the shelf of this day: [Note: shelves]. */
export function dayToSweep(now: Instant): Instant {
  return instant(now - GRACE_MS - (KEPT_DAYS + 1) * DAY_MS)
}

/** Older events are invisible. */
export function oldestVisible(now: Instant): Instant {
  return instant(now - KEPT_DAYS * DAY_MS)
}

/** Older events are of no use to anybody: neither visible nor part of a page that can be asked for again. */
export function oldestKept(now: Instant): Instant {
  return instant(oldestVisible(now) - GRACE_MS)
}

/** Attempts made before have no page any more. */
export function oldestAttempt(now: Instant): Instant {
  return instant(now - ATTEMPT_MS)
}
