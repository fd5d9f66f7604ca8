import type { Instant } from '@sealpost/kernel'

const FIRST_MS = 5000
const LONGEST_MS = 15 * 60_000
const KEPT_MS = 24 * 3_600_000

/** 5 s, 10 s, 20 s and so on up to a quarter of an hour; `attempts` counts from 1. */
export function backoffMs(attempts: number): number {
  return Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS)
}

/** After a day nobody waits for it any more, and the codes in it have long ended. */
export function isTooOld({ queuedAt }: { readonly queuedAt: Instant }, now: Instant): boolean {
  return now - queuedAt > KEPT_MS
}
