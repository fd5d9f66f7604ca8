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

test.each([
  ['none before two days', 2 * DAY_MS - 1, null, 1],
  ['daily from two days', 2 * DAY_MS, 'daily', DAY_MS],
  ['daily until it is hourly', 4.5 * DAY_MS, 'daily', 0.5 * DAY_MS],
  ['hourly from five days', 5 * DAY_MS, 'hourly', 60 * MINUTE_MS],
  ['hourly until the first loss', 7 * DAY_MS - MINUTE_MS, 'hourly', MINUTE_MS],
] as const)('alerts: %s', (_, age, alert, next) => {
  const now = instant(START + age)
  expect(scheduleAlert(START, { isPurged: false, wasPurged: false }, now)).toEqual({ alert, nextAt: now + next })
})

test('a loss is reported at any age, and an empty queue is looked at again after two days', () => {
  expect(scheduleAlert(START, { isPurged: true, wasPurged: false }, START).alert).toBe('purged')
  expect(scheduleAlert(null, { isPurged: false, wasPurged: false }, START)).toEqual({
    alert: null,
    nextAt: START + 2 * DAY_MS,
  })
  const late = instant(START + 7 * DAY_MS - MINUTE_MS)
  expect(scheduleAlert(START, { isPurged: false, wasPurged: true }, late).nextAt).toBe(late + 60 * MINUTE_MS)
})
