import { type Instant, instant } from '@sealpost/kernel'
import type { Family, FoundToken, UserType } from '../store/sessions.ts'

/** Two tabs refresh at once, or a browser loses an answer: a repetition within this time is not theft. */
export const GRACE_MS = 10_000
export const DAY_MS = 86_400_000

export type RefreshJudgement =
  /** The newest token of a live family: it gets a successor. */
  | 'rotate'
  /** Rotated within the grace time: its successor is answered again. */
  | 'repeat'
  /** Rotated earlier: two parties have it, so the family ends. */
  | 'replay'
  | 'expired'

export function validateRefresh({ family, token }: FoundToken, userType: UserType, now: Instant): RefreshJudgement {
  if (family.userType !== userType || !isAlive(family, now)) return 'expired'
  if (token.replacedAt === null) return 'rotate'
  return now - token.replacedAt <= GRACE_MS ? 'repeat' : 'replay'
}

export function isAlive({ expiresAt, endsAt, revokedAt }: Family, now: Instant): boolean {
  return revokedAt === null && now < expiresAt && now < endsAt
}

/** Every use moves the expiry, up to the end that was fixed at the login. */
export function slidingEnd(now: Instant, ttlDays: number, endsAt: Instant): Instant {
  return instant(Math.min(now + ttlDays * DAY_MS, endsAt))
}
