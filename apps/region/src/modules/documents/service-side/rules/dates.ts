import { type Instant, instant } from '@sealpost/kernel'

const DAY_MS = 86_400_000

/** The date in UTC, `YYYY-MM-DD`; such texts compare as their dates do. */
export function dateOf(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10)
}

export function dateAfter(at: Instant, days: number): string {
  return dateOf(instant(at + days * DAY_MS))
}
