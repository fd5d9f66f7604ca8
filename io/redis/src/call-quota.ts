import { createBatch } from '@sealpost/kernel'
import { systemScheduler } from '@sealpost/process'
import { QUOTA_SCRIPT } from './call-quota-scripts.ts'
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

interface Step {
  readonly kind: 'enter' | 'leave'
  readonly target: string
  readonly callId: string
}

/** Redis runs a script exclusively: this bounds how long it blocks others. */
const STEPS_AT_ONCE = 64

/**
 * Calls that enter or leave during a call to Redis are sent together in the next one, those that leave first: see
 * [Note: batches].
 */
export function openCallQuota({ redis, quota, windowMs, places, leaseMs }: CallQuotaOptions): CallQuota {
  const runScript = redis.script(QUOTA_SCRIPT)
  const limits = [quota, windowMs, places, leaseMs].map(String)
  const steps = createBatch<Step, readonly number[]>({
    most: STEPS_AT_ONCE,
    scheduler: systemScheduler,
    async run(group) {
      const [entering, leaving] = [group.filter(isEntering), group.filter((step) => !isEntering(step))]
      const keys = [
        ...entering.flatMap(({ target }) => [windowKey(target), placesKey(target)]),
        ...leaving.map(({ target }) => placesKey(target)),
      ]
      const ids = [...entering, ...leaving].map(({ callId }) => callId)
      const answer = await runScript(keys, [...limits, String(entering.length), ...ids])
      const codes = Array.isArray(answer) ? answer.map(Number) : []
      let next = 0
      return group.map((step) => (isEntering(step) ? codes.slice(next, (next += 2)) : []))
    },
  })
  return {
    async enter(target, callId) {
      return entryOf(await steps.ask({ kind: 'enter', target, callId }))
    },
    async leave(target, callId) {
      await steps.ask({ kind: 'leave', target, callId })
    },
  }
}

function isEntering({ kind }: Step): boolean {
  return kind === 'enter'
}

function windowKey(target: string): string {
  return `quota:${target}:window`
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
