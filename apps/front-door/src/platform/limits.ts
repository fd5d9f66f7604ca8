import { addressBuckets, limitHeader, limitPolicyHeader, limitRefusal, type LimitState } from '@sealpost/http'
import { type RateClass, refuse } from '@sealpost/protocol'
import type { Platform } from './module.ts'

export interface Bucket {
  readonly policy: RateClass
  readonly key: string
  readonly quota: number
  /** A minute unless given. */
  readonly windowSeconds?: number
}

/** The buckets of a limit by address; `prefix` keeps apart what has a quota of its own. */
export function bucketsOfAddress(policy: RateClass, ip: string, quota: number, prefix = ''): readonly Bucket[] {
  return addressBuckets(ip).map(({ key, times }) => ({ policy, key: prefix + key, quota: quota * times }))
}

/** Takes one token from every bucket. Logins fail closed: without Redis, guessing passwords would be unlimited. */
export async function takeFromBuckets(
  { limiter }: Pick<Platform, 'limiter'>,
  buckets: readonly Bucket[],
): Promise<readonly LimitState[]> {
  const answer = await limiter.take(
    buckets.map((bucket) => ({ windowSeconds: 60, ...bucket, failClosed: bucket.policy === 'login' })),
  )
  if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
  return answer.states
}

/** Like `takeFromBuckets`, for code behind the gates: throws 429 when a bucket is empty. */
export async function requireFromBuckets(
  platform: Pick<Platform, 'limiter'>,
  buckets: readonly Bucket[],
): Promise<readonly LimitState[]> {
  const states = await takeFromBuckets(platform, buckets)
  const refusal = limitRefusal(states)
  if (refusal !== null) throw refusal
  return states
}

/** For buckets that count failures only: the attempt that took from them did not fail. */
export async function giveBack({ limiter }: Pick<Platform, 'limiter'>, buckets: readonly Bucket[]): Promise<void> {
  await limiter.giveBack(buckets.map((bucket) => ({ windowSeconds: 60, ...bucket })))
}

export function limitHeaders(states: readonly LimitState[]): Readonly<Record<string, string>> {
  return { 'ratelimit-policy': limitPolicyHeader(states), ratelimit: limitHeader(states) }
}
