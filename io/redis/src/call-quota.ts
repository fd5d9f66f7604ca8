import { createBatch } from '@sealpost/kernel'
import { systemScheduler } from '@sealpost/process'
import { enterScript, LEAVE_SCRIPT } from './call-quota-scripts.ts'
import type { RedisConnection } from './connection.ts'

export interface CallQuotaOptions {
  readonly redis: RedisConnection
  /** Calls that enter in any span of `windowMs`. */
  readonly quota: number
  readonly windowMs: number
  /** Calls at the same time. */
  readonly places: number
  /** The place of a process that was killed is free after this time. A call must end before it. */
  readonly leaseMs: number
}

export type Entry =
  | { readonly outcome: 'entered' }
  | { readonly outcome: 'busy' }
  | { readonly outcome: 'limited'; readonly retryAfterMs: number }

/**
 * Limits of one target that all processes share: calls in a sliding window, and calls at the same time. Exact, unlike
 * `Limiter`, whose buckets admit up to two quotas in one minute. Without Redis nothing enters.
 */
export interface CallQuota {
  /** Rejects when Redis does not answer in time; the place that it may have given then ends with its lease. */
  enter(target: string, callId: string): Promise<Entry>
  leave(target: string, callId: string): Promise<void>
}

interface Call {
  readonly target: string
  readonly callId: string
}

/** Redis runs a script exclusively: this bounds how long it blocks others. */
const CALLS_AT_ONCE = 32

/** Calls that arrive during a call to Redis are sent together in the next one: see [Note: batches]. */
export function openCallQuota({ redis, quota, windowMs, places, leaseMs }: CallQuotaOptions): CallQuota {
  const runEnter = redis.script(enterScript())
  const runLeave = redis.script(LEAVE_SCRIPT)
  const fixed = [quota, windowMs, places, leaseMs].map(String)
  const entering = createBatch<Call, Entry>({
    most: CALLS_AT_ONCE,
    scheduler: systemScheduler,
    async run(calls) {
      const keys = calls.flatMap(({ target }) => keysOf(target))
      const answer = await runEnter(keys, [...fixed, ...calls.map(({ callId }) => callId)])
      const codes = Array.isArray(answer) ? answer.map(Number) : []
      return calls.map(async (_call, index) => entryOf(codes.slice(2 * index, 2 * index + 2)))
    },
  })
  const leaving = createBatch<Call, void>({
    most: CALLS_AT_ONCE,
    scheduler: systemScheduler,
    async run(calls) {
      await runLeave(
        calls.map(({ target }) => placesKey(target)),
        calls.map(({ callId }) => callId),
      )
      return calls.map(() => Promise.resolve())
    },
  })
  return {
    enter: (target, callId) => entering.ask({ target, callId }),
    leave: (target, callId) => leaving.ask({ target, callId }),
  }
}

function keysOf(target: string): readonly string[] {
  return [`quota:${target}:window`, placesKey(target)]
}

function placesKey(target: string): string {
  return `quota:${target}:places`
}

function entryOf([code, retryAfterMs]: readonly number[]): Entry {
  if (code === 0) return { outcome: 'entered' }
  if (code === 1) return { outcome: 'busy' }
  if (code === 2 && retryAfterMs !== undefined) return { outcome: 'limited', retryAfterMs }
  throw new Error('Redis answered a call quota with a reply that is none of its codes')
}
