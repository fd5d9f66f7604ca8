import { expect, test } from 'vitest'
import type { ComparedLane } from '../store/exchange.ts'
import { isSettled, judgeLane } from './rules.ts'

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
const judge = (changed: Partial<ComparedLane> = {}) => judgeLane({ ...lane, ...changed }, OWN)
const past = { incarnation: OWN - 1 }

test('equal cursors need nothing', () => {
  expect(judge()).toEqual({ act: 'agree' })
})

test('what the peer has applied is confirmed, what it has lost is sent again', () => {
  expect(judge({ appliedSeq: 9, firstKeptSeq: 10 })).toEqual({ act: 'move', seq: 9, loss: null })
  expect(judge({ appliedSeq: 2, firstKeptSeq: 3 })).toEqual({ act: 'move', seq: 2, loss: null })
  expect(judge({ appliedSeq: 10, firstKeptSeq: null })).toEqual({ act: 'move', seq: 10, loss: null })
})

test('what the peer has lost and we no longer keep is skipped by name', () => {
  expect(judge({ appliedSeq: 2, firstKeptSeq: 5 })).toEqual({ act: 'skip', fromSeq: 3, toSeq: 4 })
  expect(judge({ appliedSeq: 2, firstKeptSeq: null })).toEqual({ act: 'skip', fromSeq: 3, toSeq: 10 })
  expect(judge({ appliedSeq: 0, confirmedSeq: 10, firstKeptSeq: null })).toEqual({ act: 'skip', fromSeq: 1, toSeq: 10 })
})

test('a peer that has applied more than we remember shows that we are the older copy', () => {
  expect(judge({ appliedSeq: 11, isOurs: null, firstKeptSeq: null }).act).toBe('hold')
  expect(judge({ lastSeq: null, appliedSeq: 1, isOurs: null, firstKeptSeq: null }).act).toBe('hold')
  expect(judge({ incarnation: OWN + 1 }).act).toBe('hold')
  expect(judge({ appliedSeq: 8, isOurs: false, firstKeptSeq: 9 }).act).toBe('hold')
})

test('in a lane from before the restore it is a loss to reconcile, and the lane is done', () => {
  expect(judge({ ...past, appliedSeq: 15, isOurs: null, firstKeptSeq: null })).toEqual({
    act: 'move',
    seq: 10,
    loss: { fromSeq: 11, toSeq: 15, what: 'forgotten' },
  })
  expect(judge({ ...past, lastSeq: null, appliedSeq: 3, isOurs: null, firstKeptSeq: null })).toEqual({
    act: 'forgotten',
    loss: { fromSeq: 1, toSeq: 3, what: 'forgotten' },
  })
})

test('two messages under one number, told before the incarnation was raised, are reported as doubtful', () => {
  expect(judge({ ...past, appliedSeq: 8, isOurs: false, firstKeptSeq: 9 })).toEqual({
    act: 'move',
    seq: 8,
    loss: { fromSeq: 7, toSeq: 8, what: 'doubtful' },
  })
})

test('a session is settled only for exactly these two lives, and not while held', () => {
  const peer = { incarnation: 4, settledOwn: OWN, settledPeer: 4, exchanged: { key: '', incarnation: 0 }, held: null }
  expect(isSettled(peer, OWN)).toBe(true)
  expect(isSettled(peer, OWN + 1)).toBe(false)
  expect(isSettled({ ...peer, incarnation: 5 }, OWN)).toBe(false)
  expect(isSettled({ ...peer, settledPeer: null }, OWN)).toBe(false)
  expect(isSettled({ ...peer, held: 'older copy' }, OWN)).toBe(false)
})
