import { type Instant, instant } from '@sealpost/kernel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BucketSize, limitStates, type LimitState, paceOf } from './bucket.ts'
import { openLocalBuckets } from './local-buckets.ts'

const START = Date.UTC(2026, 4, 1)

const sizes: fc.Arbitrary<BucketSize> = fc.record({
  quota: fc.integer({ min: 1, max: 1_000 }),
  windowSeconds: fc.integer({ min: 1, max: 4_000 }),
})
const pauses = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 })

test('600 a minute are one token every 100 ms', () => {
  expect(paceOf({ quota: 600, windowSeconds: 60 })).toEqual({ refill: 1, cost: 100, capacity: 60_000 })
})

test('no caller gets more than the quota and the tokens refilled since', () => {
  fc.assert(
    fc.property(sizes, pauses, (size, waits) => {
      const bucket = openBucket(size)
      let elapsedMs = 0
      let granted = 0
      for (const wait of waits) {
        bucket.wait(wait)
        elapsedMs += wait
        if (bucket.take().allowed) granted += 1
        expect(granted).toBeLessThanOrEqual(size.quota + (elapsedMs * size.quota) / (size.windowSeconds * 1_000))
      }
    }),
  )
})

test('a caller who keeps the pace is never refused', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const bucket = openBucket(size)
      const paceMs = Math.ceil((size.windowSeconds * 1_000) / size.quota)
      for (let i = 0; i < 300; i += 1) {
        expect(bucket.take().allowed).toBe(true)
        bucket.wait(paceMs)
      }
    }),
    { numRuns: 30 },
  )
})

test('remaining says how many more would be allowed now', () => {
  fc.assert(
    fc.property(
      fc.record({ quota: fc.integer({ min: 1, max: 60 }), windowSeconds: fc.integer({ min: 1, max: 90 }) }),
      pauses,
      (size, waits) => {
        const bucket = openBucket(size)
        for (const wait of waits) {
          bucket.wait(wait)
          bucket.take()
        }
        const { remaining } = bucket.take()
        for (let left = remaining; left > 0; left -= 1) expect(bucket.take().allowed).toBe(true)
        expect(bucket.take().allowed).toBe(false)
      },
    ),
  )
})

test('a caller who returns after retryAfterSeconds is admitted, and a second earlier is not', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 999 }), (size, extraMs) => {
      const bucket = openBucket(size)
      for (let i = 0; i < size.quota; i += 1) bucket.take()
      bucket.wait(Math.min(extraMs, Math.floor((size.windowSeconds * 1_000 - 1) / size.quota)))
      const refused = bucket.take()
      fc.pre(!refused.allowed)
      bucket.wait((refused.retryAfterSeconds - 1) * 1_000)
      expect(bucket.take().allowed).toBe(false)
      bucket.wait(1_000)
      expect(bucket.take().allowed).toBe(true)
    }),
  )
})

test('resetSeconds is the time until the bucket is full', () => {
  const bucket = openBucket({ quota: 120, windowSeconds: 60 })
  expect([bucket.take(), bucket.take(), bucket.take()].map((state) => [state.remaining, state.resetSeconds])).toEqual([
    [119, 1],
    [118, 1],
    [117, 2],
  ])
  bucket.wait(1_500)
  expect(bucket.take()).toMatchObject({ remaining: 119, resetSeconds: 1 })
})

test('a clock that is set back gives a fresh bucket instead of a ban', () => {
  const bucket = openBucket({ quota: 2, windowSeconds: 60 })
  bucket.take()
  bucket.take()
  expect(bucket.take().allowed).toBe(false)
  bucket.wait(-3_600_000)
  expect(bucket.take()).toMatchObject({ allowed: true, remaining: 1 })
})

test('full buckets are removed, and there are never more than the limit', () => {
  let nowMs = START
  const buckets = openLocalBuckets({ now: () => instant(nowMs) }, 1_000)
  const touch = (key: number) => buckets.take([{ policy: 'data', key: String(key), quota: 60, windowSeconds: 60 }])
  for (let key = 0; key < 5_000; key += 1) touch(key)
  expect(buckets.count()).toBe(1_000)
  nowMs += 1_000
  for (let key = 5_000; key < 5_600; key += 1) touch(key)
  expect(buckets.count()).toBeLessThanOrEqual(600)
})

interface TestBucket {
  wait(ms: number): void
  take(): LimitState
}

function openBucket(size: BucketSize): TestBucket {
  let now: Instant = instant(START)
  const buckets = openLocalBuckets({ now: () => now })
  const request = { policy: 'data', key: 'a service', ...size }
  return {
    wait(ms) {
      now = instant(now + ms)
    },
    take() {
      const [state] = limitStates([request], buckets.take([request]))
      if (state === undefined) throw new Error('one bucket has one state')
      return state
    },
  }
}
