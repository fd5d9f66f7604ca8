import { type Instant, instant } from '@sealpost/kernel'
import { type Begun, KEPT_HOURS, LEASE_SECONDS, type StoredAnswer } from './port.ts'

/** An earlier use of the same key. */
export interface EarlierUse {
  readonly bodyHash: string
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
  readonly answer: StoredAnswer | null
}

/**
 * The answer to a new request with the same key. An abandoned first attempt is only taken over with the same body: it
 * is unknown whether its work was done, so another body is another request.
 */
export function decideReuse(earlier: EarlierUse, bodyHash: string, now: Instant): Begun | { readonly kind: 'free' } {
  if (earlier.expiresAt <= now) return { kind: 'free' }
  if (earlier.bodyHash !== bodyHash) return { kind: 'conflict' }
  if (earlier.answer !== null) return { kind: 'answered', answer: earlier.answer }
  return earlier.leaseUntil > now ? { kind: 'running' } : { kind: 'free' }
}

export function lifetimes(now: Instant): { readonly leaseUntil: Instant; readonly expiresAt: Instant } {
  return { leaseUntil: instant(now + LEASE_SECONDS * 1000), expiresAt: instant(now + KEPT_HOURS * 3_600_000) }
}
