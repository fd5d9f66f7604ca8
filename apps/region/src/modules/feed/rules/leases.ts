import { instant, type Instant } from '@sealpost/kernel'

/** How long the same attempt answers the same page. */
const ATTEMPT_MS = 300_000
/** How long a page is leased to the call that answers it, unless that call ends earlier. */
export const LEASE_SECONDS = 60
/** A listener that is not polled for this long is deleted. */
export const LISTENER_MS = 3_600_000
/** A poll updates `used_at` at most this often. */
export const LISTENER_TOUCH_MS = 60_000

/** Attempts made before this have no page any more. */
export function oldestAttempt(now: Instant): Instant {
  return instant(now - ATTEMPT_MS)
}
