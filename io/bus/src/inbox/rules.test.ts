import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { InboxLane } from '../store/inbox.ts'
import { decideTell, retryDelayMs } from './rules.ts'

const now = instant(1_000_000)
const lane: InboxLane = {
  appliedSeq: 10,
  appliedId: 'ten',
  retryAt: null,
  failingAttempts: 0,
  ownLife: 2,
  sourceLife: 1,
  isHeld: false,
}
const next = { fromLife: 1, toLife: 2, incarnation: 1, seq: 11, id: 'eleven', previousId: 'ten' }
const decide = (tell: Partial<typeof next> = {}, changed: Partial<InboxLane> = {}) =>
  decideTell({ ...lane, ...changed }, { ...next, ...tell }, now)

test('only the tell after the last applied one is applied', () => {
  expect(decide()).toEqual({ action: 'apply' })
  expect(decide({ seq: 12, id: 'twelve', previousId: 'eleven' })).toEqual({ action: 'ask for resend' })
  expect(decide({ seq: 10, id: 'ten', previousId: 'nine' })).toEqual({ action: 'repeat confirmation' })
  expect(decide({ seq: 3, id: 'three', previousId: 'two' })).toEqual({ action: 'repeat confirmation' })
})

test('the first tell of a lane has no predecessor', () => {
  const first = { seq: 1, id: 'one', previousId: '' }
  expect(decide(first, { appliedSeq: 0, appliedId: null })).toEqual({ action: 'apply' })
})

test('after a lost range the next tell is applied, although its predecessor is unknown', () => {
  expect(decide({ previousId: 'unknown' }, { appliedId: null })).toEqual({ action: 'apply' })
})

test('a tell for another incarnation of either side is ignored', () => {
  expect(decide({ fromLife: 0 }).action).toBe('ignore')
  expect(decide({ fromLife: 5 }).action).toBe('ignore')
  expect(decide({ toLife: 1 }).action).toBe('ignore')
  expect(decide({}, { sourceLife: null }).action).toBe('ignore')
  expect(decide({}, { isHeld: true }).action).toBe('ignore')
})

test('a number given out twice by a database restored without raising its incarnation holds the link', () => {
  expect(decide({ seq: 10, id: 'another ten' }).action).toBe('hold link')
  expect(decide({ previousId: 'another ten' }).action).toBe('hold link')
})

test('a lane from before a raised incarnation was compared in the exchange and is not held', () => {
  expect(decide({ incarnation: 0, previousId: 'another ten' }).action).toBe('apply')
  expect(decide({ incarnation: 0, seq: 10, id: 'another ten' }).action).toBe('repeat confirmation')
})

test('everything after a failing tell waits until its retry is due', () => {
  const retryAt = now + 500
  expect(decide({}, { retryAt })).toEqual({ action: 'wait', retryAfterMs: 500 })
  expect(decide({ seq: 15 }, { retryAt })).toEqual({ action: 'wait', retryAfterMs: 500 })
  expect(decide({ seq: 9 }, { retryAt })).toEqual({ action: 'repeat confirmation' })
  expect(decide({}, { retryAt: now })).toEqual({ action: 'apply' })
})

test('retries slow down to once a minute and never stop', () => {
  const delays = [0, 1, 2, 7, 1000].map(retryDelayMs)
  expect(delays).toEqual([500, 1000, 2000, 60_000, 60_000])
})
