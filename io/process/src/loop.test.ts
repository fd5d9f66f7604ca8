import { AsyncLocalStorage } from 'node:async_hooks'
import { recordingTelemetry } from '@sealpost/telemetry'
import { manualScheduler } from '@sealpost/testkit/fixed'
import { expect, test } from 'vitest'
import { type Loop, type LoopOptions, startLoop } from './loop.ts'

/** A loop on timers of its own; each iteration ends when the test says so, unless `work` is given. */
function openLoop(options: Partial<LoopOptions> = {}) {
  const scheduler = manualScheduler()
  const telemetry = recordingTelemetry()
  const begun: PromiseWithResolvers<number | void>[] = []
  const loop: Loop = startLoop({
    name: 'counting',
    log: telemetry.log,
    everyMs: 1000,
    scheduler,
    work() {
      const iteration = Promise.withResolvers<number | void>()
      begun.push(iteration)
      return iteration.promise
    },
    ...options,
  })
  return { loop, begun, advance: (ms: number) => scheduler.advance(ms), lines: () => telemetry.lines() }
}

test('begins at once, then again an interval after each end', async () => {
  const { begun, advance } = openLoop()
  await advance(0)
  expect(begun).toHaveLength(1)
  await advance(5000)
  expect(begun).toHaveLength(1)
  begun[0]?.resolve()
  await advance(999)
  expect(begun).toHaveLength(1)
  await advance(1)
  expect(begun).toHaveLength(2)
})

test('the first iteration can wait', async () => {
  const { begun, advance } = openLoop({ firstAfterMs: 300 })
  await advance(299)
  expect(begun).toHaveLength(0)
  await advance(1)
  expect(begun).toHaveLength(1)
})

test('an iteration can say when the next one is due', async () => {
  const { begun, advance } = openLoop()
  await advance(0)
  begun[0]?.resolve(0)
  await advance(0)
  expect(begun).toHaveLength(2)
  begun[1]?.resolve(3000)
  await advance(2999)
  expect(begun).toHaveLength(2)
  await advance(1)
  expect(begun).toHaveLength(3)
})

test('several wake-ups begin one iteration, at once or after the running one', async () => {
  const { loop, begun, advance } = openLoop({ firstAfterMs: 1000 })
  loop.wake()
  loop.wake()
  await advance(0)
  expect(begun).toHaveLength(1)
  loop.wake()
  loop.wake()
  await advance(0)
  expect(begun).toHaveLength(1)
  begun[0]?.resolve()
  await advance(0)
  expect(begun).toHaveLength(2)
  begun[1]?.resolve()
  await advance(999)
  expect(begun).toHaveLength(2)
})

test('run resolves after an iteration that began after the call', async () => {
  const { loop, begun, advance } = openLoop()
  await advance(0)
  let isDone = false
  const done = loop.run().then(() => {
    isDone = true
  })
  begun[0]?.resolve()
  await advance(0)
  expect([begun.length, isDone]).toEqual([2, false])
  begun[1]?.resolve()
  await done
})

test('a failure is logged with its error; the wait doubles up to a limit and a success resets it', async () => {
  const { begun, advance, lines } = openLoop({ backoff: { firstMs: 100, longestMs: 250 } })
  await advance(0)
  for (const [n, waitMs] of [100, 200, 250, 250].entries()) {
    begun[n]?.reject(new Error(`failure ${n}`))
    await advance(waitMs - 1)
    expect(begun).toHaveLength(n + 1)
    await advance(1)
    expect(begun).toHaveLength(n + 2)
  }
  expect(lines()).toHaveLength(4)
  expect(lines()[1]).toMatchObject({ msg: 'counting failed; trying again in 200 ms', failures: 2 })
  expect(JSON.stringify(lines()[1])).toContain('failure 1')
  begun[4]?.resolve(0)
  await advance(0)
  begun[5]?.reject(new Error('again'))
  await advance(100)
  expect(begun).toHaveLength(7)
})

test('a wake-up does not shorten the wait after a failure, run does and resolves although its iteration fails', async () => {
  const { loop, begun, advance } = openLoop()
  await advance(0)
  begun[0]?.reject(new Error('no database'))
  await advance(0)
  loop.wake()
  await advance(999)
  expect(begun).toHaveLength(1)
  const running = loop.run()
  await advance(0)
  expect(begun).toHaveLength(2)
  begun[1]?.reject(new Error('still no database'))
  await running
})

test('close waits for the running iteration, which its signal tells, and begins no other', async () => {
  const signals: AbortSignal[] = []
  const under = Promise.withResolvers<number>()
  const { loop, advance } = openLoop({
    work(closing) {
      signals.push(closing)
      return under.promise
    },
  })
  await advance(0)
  loop.wake()
  let isClosed = false
  const closing = loop.close().then(() => {
    isClosed = true
  })
  await advance(5000)
  expect([isClosed, signals[0]?.aborted]).toEqual([false, true])
  under.resolve(0)
  await closing
  await loop.run()
  await advance(5000)
  expect(signals).toHaveLength(1)
})

test('close ends a waiting loop at once', async () => {
  const { loop, begun } = openLoop({ firstAfterMs: 60_000 })
  await loop.close()
  expect(begun).toHaveLength(0)
})

test('work runs in the async context of the loop, not in that of the caller who wakes it', async () => {
  const context = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const { loop, advance } = openLoop({
    async work() {
      seen.push(context.getStore())
    },
  })
  await advance(0)
  await context.run('a request', async () => {
    loop.wake()
    await loop.run()
  })
  expect(seen).toEqual([undefined, undefined])
})
