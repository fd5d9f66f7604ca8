import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { forgettable, isPlainLine, judgeRequest } from './requests.ts'

const DAY_MS = 86_400_000
const now = instant(1_767_225_600_000)
const expiresAt = instant(now + 1)
const fresh = { kind: 'fresh', expiresAt: now + 30 * DAY_MS }

test('who was never asked, whose request lapsed and who once accepted may be asked', () => {
  expect(judgeRequest(null, now)).toEqual(fresh)
  expect(judgeRequest({ state: 'pending', expiresAt: now, answeredAt: null }, now)).toEqual(fresh)
  expect(judgeRequest({ state: 'accepted', expiresAt, answeredAt: now }, now)).toEqual(fresh)
  expect(judgeRequest({ state: 'closed', expiresAt, answeredAt: now }, now)).toEqual(fresh)
})

test('an open request is the one there is', () => {
  expect(judgeRequest({ state: 'pending', expiresAt, answeredAt: null }, now)).toEqual({ kind: 'open' })
})

test('a refusal is respected for 30 days, whatever became of the request meanwhile', () => {
  const refused = (answeredAt: number) =>
    judgeRequest({ state: 'rejected', expiresAt: now, answeredAt: instant(answeredAt) }, now)
  expect(refused(now - 30 * DAY_MS + 1)).toEqual({ kind: 'paused', retryAt: now + 1 })
  expect(refused(now - 30 * DAY_MS)).toEqual(fresh)
})

test('nothing is forgotten while it could still pause a request', () => {
  const expired = forgettable(now)
  expect(judgeRequest({ state: 'rejected', expiresAt: expired, answeredAt: expired }, now)).toEqual(fresh)
})

test('a message is one line that reads as it is written', () => {
  expect(isPlainLine('Please connect, Zoë 👩‍🚀')).toBe(true)
  for (const text of ['two\nlines', 'bell\u0007', 'turned \u202eround', 'isolated \u2066', 'line\u2028']) {
    expect(isPlainLine(text)).toBe(false)
  }
})
