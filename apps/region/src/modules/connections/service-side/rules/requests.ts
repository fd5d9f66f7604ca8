import { type Instant, instant } from '@sealpost/kernel'
import type { ConnectRequest } from '../model.ts'

const DAY_MS = 86_400_000
const LAPSES_AFTER_MS = 30 * DAY_MS
const PAUSED_MS = 30 * DAY_MS

export type RequestVerdict =
  | { readonly kind: 'fresh'; readonly expiresAt: Instant }
  /** The last request is still open: it is answered again and not sent again. */
  | { readonly kind: 'open' }
  | { readonly kind: 'paused'; readonly retryAt: Instant }

/** Whether a person may be asked, given the outcome of the last request. A lapsed request does not pause the next. */
export function decideRequest(
  last: Pick<ConnectRequest, 'state' | 'expiresAt' | 'answeredAt'> | null,
  now: Instant,
): RequestVerdict {
  if (last?.state === 'pending' && last.expiresAt > now) return { kind: 'open' }
  const retryAt = instant((last?.answeredAt ?? 0) + PAUSED_MS)
  if (last?.state === 'rejected' && retryAt > now) return { kind: 'paused', retryAt }
  return { kind: 'fresh', expiresAt: instant(now + LAPSES_AFTER_MS) }
}

/** Requests that expired before this have no effect any more: the pause after a rejection is over as well. */
export function forgetBefore(now: Instant): Instant {
  return instant(now - PAUSED_MS)
}

/** False for control characters, line breaks and characters that change the direction of text. */
export function isPlainLine(text: string): boolean {
  return !/[\p{Cc}\u2028-\u202E\u2066-\u2069]/u.test(text)
}
