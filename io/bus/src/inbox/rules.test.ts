import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { InboxLane } from '../store/inbox.ts'
import { judgeTell, retryDelayMs } from './rules.ts'

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
const judge = (tell: Partial<typeof next> = {}, changed: Partial<InboxLane> = {}) =>
  judgeTell({ ...lane, ...changed }, { ...next, ...tell }, now)

test('only the tell after the last applied one is applied', () => {
  expect(judge()).toEqual({ act: 'apply' })
  expect(judge({ seq: 12, id: 'twelve', previousId: 'eleven' })).toEqual({ act: 'ask for resend' })
  expect(judge({ seq: 10, id: 'ten', previousId: 'nine' })).toEqual({ act: 'repeat confirmation' })
  expect(judge({ seq: 3, id: 'three', previousId: 'two' })).toEqual({ act: 'repeat confirmation' })
})

test('the first tell of a lane has nothing to continue', () => {
  const first = { seq: 1, id: 'one', previousId: '' }
  expect(judge(first, { appliedSeq: 0, appliedId: null })).toEqual({ act: 'apply' })
})

test('after a range that was lost the next tell is applied, though nobody knows what it continues', () => {
  expect(judge({ previousId: 'unknown' }, { appliedId: null })).toEqual({ act: 'apply' })
})

test('what belongs to another life of either side is ignored', () => {
  expect(judge({ fromLife: 0 }).act).toBe('ignore')
  expect(judge({ fromLife: 5 }).act).toBe('ignore')
  expect(judge({ toLife: 1 }).act).toBe('ignore')
  expect(judge({}, { sourceLife: null }).act).toBe('ignore')
  expect(judge({}, { isHeld: true }).act).toBe('ignore')
})

test('a number given out twice by a database restored without raising its incarnation holds the link', () => {
  expect(judge({ seq: 10, id: 'another ten' }).act).toBe('hold link')
  expect(judge({ previousId: 'another ten' }).act).toBe('hold link')
})

test('a lane from before a raised incarnation was compared in the exchange and holds nothing up', () => {
  expect(judge({ incarnation: 0, previousId: 'another ten' }).act).toBe('apply')
  expect(judge({ incarnation: 0, seq: 10, id: 'another ten' }).act).toBe('repeat confirmation')
})

test('everything behind a failing tell waits until its retry is due', () => {
  const retryAt = now + 500
  expect(judge({}, { retryAt })).toEqual({ act: 'wait', retryAfterMs: 500 })
  expect(judge({ seq: 15 }, { retryAt })).toEqual({ act: 'wait', retryAfterMs: 500 })
  expect(judge({ seq: 9 }, { retryAt })).toEqual({ act: 'repeat confirmation' })
  expect(judge({}, { retryAt: now })).toEqual({ act: 'apply' })
})

test('retries slow down to once a minute and never stop', () => {
  const delays = [0, 1, 2, 7, 1000].map(retryDelayMs)
  expect(delays).toEqual([500, 1000, 2000, 60_000, 60_000])
})
