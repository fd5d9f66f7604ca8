import { addressBuckets, type Call, limitRefusal } from '@sealpost/http'
import { type Clock, createBoundedCache } from '@sealpost/kernel'
import { ApiError, type ErrorKey, type RateClass, refuse } from '@sealpost/protocol'
import type { Limiter, TakeRequest } from '@sealpost/redis'
import type { CountMisses } from '../../../platform/bind-route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Quota } from './limits.ts'

export interface MissOptions {
  readonly limiter: Limiter
  readonly clock: Clock
  readonly quota: Quota
}

/** An address may be that of an office, so it has more than one account. */
const ADDRESS_TIMES = 4
const POLICY: RateClass = 'data'

/**
 * [Note: counted misses] A share code has 30 bits, so a caller may name few that do not exist. All clients and users of an
 * account count as one caller. Someone who has not missed within the window looks up without a limit and without a call to
 * Redis. After a miss, a look-up takes its token before it runs and gets it back when it finds something: so concurrent
 * guesses cannot pass the limit together, and an empty bucket refuses hits and misses alike.
 */
export function createMissCounter({ limiter, clock, quota }: MissOptions): CountMisses<Caller> {
  const expiry = { keepMs: quota.windowSeconds * 1000, now: () => clock.now() }
  const suspects = createBoundedCache<string, true>({ most: 50_000, expiry })

  return async (call, caller, lookUp) => {
    const misses = call.operation.misses ?? []
    if (misses.length === 0 || caller === null) return lookUp()
    const buckets = bucketsOf(quota, call, caller)
    if (!buckets.some(({ key }) => suspects.get(key) === true)) {
      try {
        return await lookUp()
      } catch (error) {
        if (isMiss(error, misses)) await take(buckets)
        throw error
      }
    }
    await take(buckets)
    let isFound = true
    try {
      return await lookUp()
    } catch (error) {
      isFound = !isMiss(error, misses)
      throw error
    } finally {
      if (isFound) await limiter.giveBack(buckets)
    }
  }

  async function take(buckets: readonly TakeRequest<RateClass>[]): Promise<void> {
    for (const { key } of buckets) suspects.set(key, true)
    const answer = await limiter.take(buckets)
    if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
    const refusal = limitRefusal(answer.states)
    if (refusal !== null) throw refusal
  }
}

function isMiss(error: unknown, misses: readonly ErrorKey[]): boolean {
  return error instanceof ApiError && misses.includes(error.key)
}

function bucketsOf(
  { quota, windowSeconds }: Quota,
  { ip }: Pick<Call, 'ip'>,
  { accountId }: Caller,
): readonly TakeRequest<RateClass>[] {
  const byAddress = addressBuckets(ip).map(({ key, times }) => ({ key, quota: quota * times * ADDRESS_TIMES }))
  return [{ key: `account:${accountId}`, quota }, ...byAddress].map((bucket) => ({
    policy: POLICY,
    key: `misses:${bucket.key}`,
    quota: bucket.quota,
    windowSeconds,
  }))
}
