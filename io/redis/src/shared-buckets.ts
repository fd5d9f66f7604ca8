import type { Telemetry } from '@sealpost/telemetry'
import { type BucketSize, type LimitRequest, type Pace, paceOf } from './bucket.ts'
import type { RedisConnection } from './connection.ts'
import { bucketName } from './local-buckets.ts'
import { PACE_LIMIT, paceArguments, planCharacter, takeScript } from './take-script.ts'

export interface SharedBuckets {
  /** Like `LocalBuckets.take`, for all processes together; rejects when Redis does not answer in time. */
  take(requests: readonly LimitRequest[]): Promise<readonly number[]>
}

interface Batch {
  readonly keys: string[]
  readonly sizes: BucketSize[]
  readonly paces: Pace[]
  readonly waiting: Waiting[]
  plan: string
}

interface Waiting {
  readonly count: number
  readonly resolve: (deficits: readonly number[]) => void
  readonly reject: (error: Error) => void
}

/** Redis runs a script alone: this bounds how long it keeps others waiting, to well below a millisecond. */
const BATCH_LIMIT = 128

/**
 * [Note: one call under way] Requests that arrive while a call to Redis is under way wait for it and then go together
 * in one script call, in the order they came. The script judges them one after the other, so the answers are the same
 * as one call each would give; only the cost is shared. A lone request is sent at once.
 */
export function openSharedBuckets(redis: RedisConnection, telemetry: Telemetry): SharedBuckets {
  const run = redis.script(takeScript())
  const seconds = telemetry.histogram('rate_limit_call_seconds', 'Time of one call to the shared buckets').bind({})
  const sizes = telemetry.histogram('rate_limit_call_buckets', 'Buckets judged by one call').bind({})
  const queue: Batch[] = []
  let isBusy = false

  function schedule(): void {
    isBusy = true
    // After this turn of the event loop, so that requests read from several sockets in one turn go together.
    setImmediate(send)
  }
  function send(): void {
    const batch = queue.shift()
    if (batch === undefined) {
      isBusy = false
      return
    }
    const startedAt = performance.now()
    sizes.record(batch.keys.length)
    run(batch.keys, [batch.plan, ...paceArguments(batch.paces)]).then(
      (answer) => {
        seconds.record((performance.now() - startedAt) / 1_000)
        settle(batch, answer)
        send()
      },
      (error: unknown) => {
        // Those behind would only wait as long again.
        const failed = [batch, ...queue.splice(0)]
        isBusy = false
        for (const { waiting } of failed) for (const { reject } of waiting) reject(asError(error))
      },
    )
  }
  return {
    take(requests) {
      return new Promise((resolve, reject) => {
        append(lastBatch(queue), requests, { count: requests.length, resolve, reject })
        if (!isBusy) schedule()
      })
    },
  }
}

function lastBatch(queue: Batch[]): Batch {
  const last = queue.at(-1)
  if (last !== undefined && last.keys.length < BATCH_LIMIT && last.paces.length < PACE_LIMIT / 2) return last
  const batch: Batch = { keys: [], sizes: [], paces: [], waiting: [], plan: '' }
  queue.push(batch)
  return batch
}

function append(batch: Batch, requests: readonly LimitRequest[], waiting: Waiting): void {
  for (const [index, request] of requests.entries()) {
    batch.keys.push(`rate:${bucketName(request)}`)
    batch.plan += planCharacter(paceIndex(batch, request), index === requests.length - 1)
  }
  batch.waiting.push(waiting)
}

function paceIndex({ sizes, paces }: Batch, { quota, windowSeconds }: BucketSize): number {
  const known = sizes.findIndex((size) => size.quota === quota && size.windowSeconds === windowSeconds)
  if (known >= 0) return known
  sizes.push({ quota, windowSeconds })
  return paces.push(paceOf({ quota, windowSeconds })) - 1
}

function settle(batch: Batch, answer: unknown): void {
  const deficits = Array.isArray(answer) ? answer.map(Number) : []
  let first = 0
  for (const { count, resolve, reject } of batch.waiting) {
    const own = deficits.slice(first, first + count)
    first += count
    if (own.length === count && own.every(Number.isFinite)) resolve(own)
    else reject(new Error('Redis answered the limiter with something that is not a number per bucket'))
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
