import { type Failure, FailureError } from '@sealpost/ui/failure'
import { expect, test } from 'vitest'
import { openReads, type Read, together } from './reads.ts'

const OFFLINE: Failure = { kind: 'offline' }
const BUSY: Failure = { kind: 'refused', key: 'request.unavailable', isPassing: true }
const GONE: Failure = { kind: 'refused', key: 'documents.not_found', isPassing: false }

/** Reads whose calls are answered by the test, in any order. */
function open() {
  const changes = new Set<(topics: readonly string[]) => void>()
  let now = 0
  const calls: PromiseWithResolvers<unknown>[] = []
  const reads = openReads({ onChanged: (listener) => changes.add(listener), nowMs: () => now })
  const load = () => {
    const call = Promise.withResolvers<unknown>()
    calls.push(call)
    return call.promise
  }
  const follow = (key = 'k') => reads.follow(key, 'papers', load, () => {})
  const answer = async (at: number, value: unknown) => {
    if (isFailure(value)) calls[at]?.reject(new FailureError(value))
    else calls[at]?.resolve(value)
    await calls[at]?.promise.catch(() => {})
    await Promise.resolve()
  }
  return {
    reads,
    calls,
    follow,
    answer,
    change: () => changes.forEach((changed) => changed(['papers'])),
    at: (ms: number) => (now = ms),
  }
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'kind' in value
}

test.each([
  ['the platform cannot be reached', OFFLINE],
  ['the platform cannot answer now', BUSY],
])('what was shown stays when %s, and says since when it is so', async (_when, failure) => {
  const { reads, follow, answer, change, at } = open()
  follow()
  at(1000)
  await answer(0, 'shown')
  at(2000)
  change()
  await answer(1, failure)
  expect(reads.read('k')).toMatchObject({ state: 'ready', value: 'shown', old: { failure, sinceMs: 1000 } })
  expect(reads.old()).toMatchObject({ failure, sinceMs: 1000 })
  reads.old()?.again()
  await answer(2, 'newer')
  expect(reads.read('k')).toEqual({ state: 'ready', value: 'newer' })
  expect(reads.old()).toBeNull()
})

test('what is gone is not shown any more', async () => {
  const { reads, follow, answer, change } = open()
  follow()
  await answer(0, 'shown')
  change()
  await answer(1, GONE)
  expect(reads.read('k')).toMatchObject({ state: 'failed', failure: GONE })
})

test('a page that was left makes nothing old', async () => {
  const { reads, follow, answer, change } = open()
  const leave = follow()
  await answer(0, 'shown')
  change()
  await answer(1, OFFLINE)
  leave()
  expect(reads.old()).toBeNull()
})

test('an answer that was overtaken is not drawn over a later one', async () => {
  const { reads, follow, answer, change } = open()
  follow()
  change()
  await answer(1, 'later')
  await answer(0, 'earlier')
  expect(reads.read('k')).toEqual({ state: 'ready', value: 'later' })
})

test('two places that read the same share a call; a page that opens again draws at once and reads again', async () => {
  const { reads, follow, answer, calls } = open()
  const leave = [follow(), follow()]
  expect(calls).toHaveLength(1)
  await answer(0, 'shown')
  for (const each of leave) each()
  follow()
  expect(reads.read('k')).toEqual({ state: 'ready', value: 'shown' })
  expect(calls).toHaveLength(2)
})

test('nothing is kept of an account that was locked, nor of a call that was under way', async () => {
  const { reads, follow, answer } = open()
  const leave = [follow('read'), follow('under way')]
  await answer(0, 'shown')
  for (const each of leave) each()
  reads.forget()
  await answer(1, 'late')
  expect([reads.read('read'), reads.read('under way')]).toEqual([{ state: 'pending' }, { state: 'pending' }])
})

test('reads of one page are ready together, and trying again repeats all that have failed', () => {
  const tried: string[] = []
  const failed = (name: string): Read<never> => ({ state: 'failed', failure: OFFLINE, again: () => tried.push(name) })
  const ready: Read<number> = { state: 'ready', value: 1 }
  expect(together({ one: ready, other: ready })).toEqual({ state: 'ready', value: { one: 1, other: 1 } })
  expect(together({ one: ready, other: { state: 'pending' } })).toEqual({ state: 'pending' })
  const all = together({ one: failed('one'), other: { state: 'pending' }, third: failed('third'), ready })
  if (all.state === 'failed') all.again()
  expect([all.state, tried]).toEqual(['failed', ['one', 'third']])
})
