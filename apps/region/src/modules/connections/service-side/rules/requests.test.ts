import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { decideRequest, forgetBefore, isPlainLine } from './requests.ts'

const DAY_MS = 86_400_000
const now = instant(1_767_225_600_000)
const expiresAt = instant(now + 1)
const fresh = { kind: 'fresh', expiresAt: now + 30 * DAY_MS }

test('a person may be asked if there was no request, or the last one lapsed, was accepted or closed', () => {
  expect(decideRequest(null, now)).toEqual(fresh)
  expect(decideRequest({ state: 'pending', expiresAt: now, answeredAt: null }, now)).toEqual(fresh)
  expect(decideRequest({ state: 'accepted', expiresAt, answeredAt: now }, now)).toEqual(fresh)
  expect(decideRequest({ state: 'closed', expiresAt, answeredAt: now }, now)).toEqual(fresh)
})

test('an open request is not sent again', () => {
  expect(decideRequest({ state: 'pending', expiresAt, answeredAt: null }, now)).toEqual({ kind: 'open' })
})

test('a rejection pauses requests for 30 days, also when the request has expired meanwhile', () => {
  const refused = (answeredAt: number) =>
    decideRequest({ state: 'rejected', expiresAt: now, answeredAt: instant(answeredAt) }, now)
  expect(refused(now - 30 * DAY_MS + 1)).toEqual({ kind: 'paused', retryAt: now + 1 })
  expect(refused(now - 30 * DAY_MS)).toEqual(fresh)
})

test('a request is not removed while it can still pause the next one', () => {
  const expired = forgetBefore(now)
  expect(decideRequest({ state: 'rejected', expiresAt: expired, answeredAt: expired }, now)).toEqual(fresh)
})

test('a message is one line without control or direction characters', () => {
  expect(isPlainLine('Please connect, Zoë 👩‍🚀')).toBe(true)
  for (const text of ['two\nlines', 'bell\u0007', 'turned \u202eround', 'isolated \u2066', 'line\u2028']) {
    expect(isPlainLine(text)).toBe(false)
  }
})
