import { EVENT_RETENTION_MS, type Instant, instant } from '@sealpost/kernel'
import type { StaleQueue } from '../model.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Younger backlogs raise no alert. */
export const DAILY_FROM_MS = 2 * DAY_MS
const HOURLY_FROM_MS = 5 * DAY_MS

/** Daily alerts from two days of age, hourly from five, and one alert when the first events expire. */
export function scheduleAlert(
  oldestAt: Instant | null,
  { isPurged, wasPurged }: { readonly isPurged: boolean; readonly wasPurged: boolean },
  now: Instant,
): { readonly alert: StaleQueue['alert'] | null; readonly nextAt: Instant } {
  const oldest = oldestAt ?? now
  const age = now - oldest
  const orPurged = (alert: 'daily' | 'hourly' | null): StaleQueue['alert'] | null => (isPurged ? 'purged' : alert)
  // The first loss is reported when it happens; later ones are part of the hourly alerts.
  const lossAt = isPurged || wasPurged ? Number.POSITIVE_INFINITY : oldest + EVENT_RETENTION_MS
  if (age >= HOURLY_FROM_MS) return { alert: orPurged('hourly'), nextAt: instant(Math.min(now + HOUR_MS, lossAt)) }
  if (age >= DAILY_FROM_MS)
    return { alert: orPurged('daily'), nextAt: instant(Math.min(now + DAY_MS, oldest + HOURLY_FROM_MS)) }
  return { alert: orPurged(null), nextAt: instant(oldest + DAILY_FROM_MS) }
}
