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

export function openCallQuota({ redis, quota, windowMs, places, leaseMs }: CallQuotaOptions): CallQuota {
  const runEnter = redis.script(enterScript())
  const runLeave = redis.script(LEAVE_SCRIPT)
  const fixed = [quota, windowMs, places, leaseMs].map(String)
  return {
    async enter(target, callId) {
      return entryOf(await runEnter(keysOf(target), [...fixed, callId]))
    },
    async leave(target, callId) {
      await runLeave([placesKey(target)], [callId])
    },
  }
}

/** The braces keep both keys on one node of a cluster. */
function keysOf(target: string): readonly string[] {
  return [`quota:{${target}}:window`, placesKey(target)]
}

function placesKey(target: string): string {
  return `quota:{${target}}:places`
}

function entryOf(answer: unknown): Entry {
  const [code, retryAfterMs] = Array.isArray(answer) ? answer.map(Number) : []
  if (code === 0) return { outcome: 'entered' }
  if (code === 1) return { outcome: 'busy' }
  if (code === 2 && retryAfterMs !== undefined) return { outcome: 'limited', retryAfterMs }
  throw new Error('Redis answered a call quota with a reply that is none of its codes')
}
