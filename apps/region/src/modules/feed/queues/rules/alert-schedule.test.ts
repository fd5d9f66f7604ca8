import { type Instant, instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { scheduleAlert } from './alert-schedule.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const START = instant(1_000_000_000_000)

test('continuous losses raise one alert at the first loss and then one per hour, not one per check', () => {
  const alerts: string[] = []
  let alertAt: Instant = START
  let wasPurged = false
  // An event every ten minutes since the start, none of which could be sent.
  for (let now = START; now < START + 8 * DAY_MS; now = instant(now + MINUTE_MS)) {
    if (now < alertAt) continue
    const isLosing = now - START >= 7 * DAY_MS
    const oldestAt = isLosing ? instant(now - 7 * DAY_MS + MINUTE_MS) : START
    const isPurged: boolean = isLosing && !wasPurged
    const { alert, nextAt } = scheduleAlert(oldestAt, { isPurged, wasPurged }, now)
    if (isLosing && alert !== null) alerts.push(alert)
    wasPurged ||= isPurged
    alertAt = nextAt
  }
  expect(alerts[0]).toBe('purged')
  expect(alerts.filter((alert) => alert === 'purged')).toHaveLength(1)
  expect(alerts.length).toBeLessThanOrEqual(25)
})
