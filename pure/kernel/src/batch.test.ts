import { manualScheduler } from '@sealpost/testkit/fixed'
import { expect, test } from 'vitest'
import { type BatchOptions, createBatch } from './batch.ts'

/** A batch that squares; it ends when the test says so. */
function openSquares(options: Partial<BatchOptions<number, number>> = {}) {
  const scheduler = manualScheduler()
  const begun: { readonly asks: readonly number[]; end(): void; fail(error: Error): void }[] = []
  const batch = createBatch<number, number>({
    most: 100,
    scheduler,
    run: (asks) =>
      new Promise((resolve, reject) => {
        begun.push({ asks, end: () => resolve(asks.map((ask) => ask * ask)), fail: reject })
      }),
    ...options,
  })
  return { batch, begun, asks: () => begun.map(({ asks }) => asks), advance: (ms: number) => scheduler.advance(ms) }
}

test('asks of one turn go together, and those that come meanwhile go into the next batch', async () => {
  const { batch, begun, asks, advance } = openSquares()
  const first = Promise.all([1, 2].map((one) => batch.ask(one)))
  await advance(0)
  const rest = Promise.all([3, 4, 5].map((one) => batch.ask(one)))
  await advance(1000)
  expect(asks()).toEqual([[1, 2]])
  begun[0]?.end()
  expect(await first).toEqual([1, 4])
  await advance(0)
  begun[1]?.end()
  expect(await rest).toEqual([9, 16, 25])
  expect(asks()).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
})

test('a batch takes no more than it may, by number or by weight', async () => {
  const byNumber = openSquares({ most: 2 })
  for (const one of [1, 2, 3]) void byNumber.batch.ask(one)
  await byNumber.advance(0)
  expect(byNumber.asks()).toEqual([[1, 2]])
  const byWeight = openSquares({ most: 10, weigh: (ask) => ask })
  for (const one of [4, 5, 6, 1, 1]) void byWeight.batch.ask(one)
  await byWeight.advance(0)
  byWeight.begun[0]?.end()
  await byWeight.advance(0)
  expect(byWeight.asks()).toEqual([
    [4, 5, 6],
    [1, 1],
  ])
})

test('a slow batch holds back the next one only as long as its patience', async () => {
  const { batch, begun, asks, advance } = openSquares({ patienceMs: 20 })
  const first = batch.ask(1)
  await advance(0)
  const second = batch.ask(2)
  await advance(19)
  expect(asks()).toEqual([[1]])
  await advance(1)
  expect(asks()).toEqual([[1], [2]])
  begun[1]?.end()
  begun[0]?.end()
  expect(await Promise.all([first, second])).toEqual([1, 4])
})

test('after a large batch the next one waits for company', async () => {
  const { batch, begun, asks, advance } = openSquares({ crowd: { size: 2, waitMs: 3 } })
  void Promise.all([1, 2].map((one) => batch.ask(one)))
  await advance(0)
  void batch.ask(3)
  begun[0]?.end()
  await advance(2)
  void batch.ask(4)
  expect(asks()).toHaveLength(1)
  await advance(1)
  expect(asks()[1]).toEqual([3, 4])
})

test('a batch that throws fails all of its asks and none of the next', async () => {
  const { batch, begun, advance } = openSquares()
  const both = Promise.allSettled([1, 2].map((one) => batch.ask(one)))
  await advance(0)
  begun[0]?.fail(new Error('no database'))
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = batch.ask(3)
  await advance(0)
  begun[1]?.end()
  expect(await next).toBe(9)
})

test('an answer can fail its ask alone', async () => {
  const { batch, advance } = openSquares({
    run: async (asks) => asks.map((ask) => (ask === 13 ? Promise.reject(new Error('not 13')) : ask)),
  })
  const all = Promise.allSettled([12, 13, 14].map((one) => batch.ask(one)))
  await advance(0)
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('an answer that is missing fails the batch', async () => {
  const { batch, advance } = openSquares({ run: async () => [1] })
  const all = Promise.allSettled([1, 2].map((one) => batch.ask(one)))
  await advance(0)
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('waiting asks can be rejected while a batch is under way, and later asks are served', async () => {
  const { batch, begun, advance } = openSquares()
  const first = batch.ask(1)
  await advance(0)
  const waiting = Promise.allSettled([2, 3].map((one) => batch.ask(one)))
  batch.rejectWaiting(new Error('away'))
  begun[0]?.end()
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await first).toBe(1)
  await advance(0)
  const later = batch.ask(4)
  await advance(0)
  begun[1]?.end()
  expect(await later).toBe(16)
})
