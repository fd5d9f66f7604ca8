import { type Instant, instant, type Random } from '@sealpost/kernel'
import type { Outcome } from '../../model.ts'
import type { Challenge } from '../model.ts'

/** Outcomes can be read for this long. */
export const KEPT_MS = 24 * 3_600_000
/** A report keeps the service away for this long. */
export const MUTED_MS = 3_600_000
/** The last wrong attempt denies the challenge. */
export const MOST_WRONG_DIGITS = 3

/** Past its lifetime a challenge without an outcome has expired, whether or not that is stored yet. */
export function outcomeAt(
  { outcome, expiresAt }: Pick<Challenge, 'outcome' | 'expiresAt'>,
  now: Instant,
): Outcome | null {
  if (outcome !== null) return outcome
  return now >= expiresAt ? { status: 'expired', completedAt: expiresAt } : null
}

export function isForgotten(challenge: Pick<Challenge, 'outcome' | 'expiresAt'>, now: Instant): boolean {
  const end = challenge.outcome?.completedAt ?? challenge.expiresAt
  return now >= instant(end + KEPT_MS)
}

/** Two digits from 10 to 99, each equally likely. */
export function drawDigits(random: Random): string {
  for (;;) {
    const [byte = 255] = random.bytes(1)
    if (byte < EVEN_BYTES) return String(10 + (byte % 90))
  }
}

/** The largest multiple of 90 in a byte. */
const EVEN_BYTES = 180
