import { type Instant, instant } from '@sealpost/kernel'
import type { ConnectRequest } from '../store/requests.ts'

const DAY_MS = 86_400_000
const LAPSES_AFTER_MS = 30 * DAY_MS
const PAUSED_MS = 30 * DAY_MS

export type RequestVerdict =
  | { readonly kind: 'fresh'; readonly expiresAt: Instant }
  /** It is open: answered again instead of sent again. */
  | { readonly kind: 'open' }
  | { readonly kind: 'paused'; readonly retryAt: Instant }

/** Whether a person may be asked, by what became of the last request. One that lapsed was answered by nobody. */
export function judgeRequest(
  last: Pick<ConnectRequest, 'state' | 'expiresAt' | 'answeredAt'> | null,
  now: Instant,
): RequestVerdict {
  if (last?.state === 'pending' && last.expiresAt > now) return { kind: 'open' }
  const retryAt = instant((last?.answeredAt ?? 0) + PAUSED_MS)
  if (last?.state === 'rejected' && retryAt > now) return { kind: 'paused', retryAt }
  return { kind: 'fresh', expiresAt: instant(now + LAPSES_AFTER_MS) }
}

/** From here on a request tells nobody anything: it lapsed, and so did every pause that could follow it. */
export function forgettable(now: Instant): Instant {
  return instant(now - PAUSED_MS)
}

/** What is shown to a person is one line that reads as it is written: nothing that breaks it or turns its direction. */
export function isPlainLine(text: string): boolean {
  return !/[\p{Cc}\u2028-\u202E\u2066-\u2069]/u.test(text)
}
