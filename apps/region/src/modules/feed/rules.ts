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

/**
 * [Note: shelves] Events lie on ten shelves, tables of one day each that are used in turn: eight days hold what is
 * younger than seven days, the ninth is tomorrow's for processes whose clocks run ahead, and the tenth is swept. Sweeping
 * empties a table, which costs the same for any number of rows; nothing is created or dropped while the region runs, so
 * a day can never be missing. A shelf that was not swept in time only holds two days for a while.
 */
export const SHELVES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export type Shelf = (typeof SHELVES)[number]

export function shelfOf(at: Instant): Shelf {
  return SHELVES[dayOf(at) % SHELVES.length] ?? 0
}

/** The shelf that nothing visible or new lies on. */
export function shelfToSweep(now: Instant): Shelf {
  return shelfOf(instant(now - GRACE_MS - (KEPT_DAYS + 1) * DAY_MS))
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

function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS)
}
