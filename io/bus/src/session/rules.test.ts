import { expect, test } from 'vitest'
import type { ComparedLane } from '../store/exchange.ts'
import { isReconciled, decideLane } from './rules.ts'

const OWN = 7
const lane: ComparedLane = {
  key: 'k',
  incarnation: OWN,
  lastSeq: 10,
  confirmedSeq: 6,
  appliedSeq: 6,
  isOurs: true,
  firstKeptSeq: 7,
}
const decide = (changed: Partial<ComparedLane> = {}) => decideLane({ ...lane, ...changed }, OWN)
const past = { incarnation: OWN - 1 }

test('equal cursors need no change', () => {
  expect(decide()).toEqual({ action: 'agree' })
})

test('tells that the peer has applied are confirmed, tells that it has lost are sent again', () => {
  expect(decide({ appliedSeq: 9, firstKeptSeq: 10 })).toEqual({ action: 'move', seq: 9, loss: null })
  expect(decide({ appliedSeq: 2, firstKeptSeq: 3 })).toEqual({ action: 'move', seq: 2, loss: null })
  expect(decide({ appliedSeq: 10, firstKeptSeq: null })).toEqual({ action: 'move', seq: 10, loss: null })
})

test('tells that the peer has lost and we no longer keep are skipped and reported', () => {
  expect(decide({ appliedSeq: 2, firstKeptSeq: 5 })).toEqual({ action: 'skip', fromSeq: 3, toSeq: 4 })
  expect(decide({ appliedSeq: 2, firstKeptSeq: null })).toEqual({ action: 'skip', fromSeq: 3, toSeq: 10 })
  expect(decide({ appliedSeq: 0, confirmedSeq: 10, firstKeptSeq: null })).toEqual({
    action: 'skip',
    fromSeq: 1,
    toSeq: 10,
  })
})

test('a peer that has applied more than we know shows that we are the older copy', () => {
  expect(decide({ appliedSeq: 11, isOurs: null, firstKeptSeq: null }).action).toBe('hold')
  expect(decide({ lastSeq: null, appliedSeq: 1, isOurs: null, firstKeptSeq: null }).action).toBe('hold')
  expect(decide({ incarnation: OWN + 1 }).action).toBe('hold')
  expect(decide({ appliedSeq: 8, isOurs: false, firstKeptSeq: 9 }).action).toBe('hold')
})

test('in a lane from before the restore such tells are a loss to reconcile, and the lane is done', () => {
  expect(decide({ ...past, appliedSeq: 15, isOurs: null, firstKeptSeq: null })).toEqual({
    action: 'move',
    seq: 10,
    loss: { fromSeq: 11, toSeq: 15, what: 'forgotten' },
  })
  expect(decide({ ...past, lastSeq: null, appliedSeq: 3, isOurs: null, firstKeptSeq: null })).toEqual({
    action: 'forgotten',
    loss: { fromSeq: 1, toSeq: 3, what: 'forgotten' },
  })
})

test('two messages under one number, told before the incarnation was raised, are reported as doubtful', () => {
  expect(decide({ ...past, appliedSeq: 8, isOurs: false, firstKeptSeq: 9 })).toEqual({
    action: 'move',
    seq: 8,
    loss: { fromSeq: 7, toSeq: 8, what: 'doubtful' },
  })
})

test('a session is reconciled only for exactly these two incarnations, and not while held', () => {
  const peer = {
    incarnation: 4,
    reconciledOwn: OWN,
    reconciledPeer: 4,
    exchanged: { key: '', incarnation: 0 },
    held: null,
  }
  expect(isReconciled(peer, OWN)).toBe(true)
  expect(isReconciled(peer, OWN + 1)).toBe(false)
  expect(isReconciled({ ...peer, incarnation: 5 }, OWN)).toBe(false)
  expect(isReconciled({ ...peer, reconciledPeer: null }, OWN)).toBe(false)
  expect(isReconciled({ ...peer, held: 'older copy' }, OWN)).toBe(false)
})
