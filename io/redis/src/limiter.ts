import { announceSlowCall, type Clock } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import { type LimitRequest, type LimitState, limitStates, paceOf } from './bucket.ts'
import type { RedisConnection } from './connection.ts'
import { openLocalBuckets } from './local-buckets.ts'
import { openSharedBuckets, type SharedBuckets } from './shared-buckets.ts'

export interface TakeRequest<Policy extends string = string> extends LimitRequest<Policy> {
  /** For limits that must hold in any failure: without the shared buckets nothing is admitted. */
  readonly failClosed?: boolean
}

export type LimitAnswer<Policy extends string = string> =
  | { readonly outcome: 'allowed' | 'refused'; readonly states: readonly LimitState<Policy>[] }
  /** The shared buckets are unreachable and one of the requests fails closed. */
  | { readonly outcome: 'unavailable' }

export interface Limiter {
  /** Takes a token from every bucket, or from none. Rejects only for an impossible size. */
  take<Policy extends string>(requests: readonly TakeRequest<Policy>[]): Promise<LimitAnswer<Policy>>
  /**
   * Returns the tokens of an admitted request, for limits that count some outcomes only. Without Redis the tokens stay
   * taken: a limit may then refuse too early, never too late.
   */
  giveBack(requests: readonly LimitRequest[]): Promise<void>
  /** False while this process limits on its own. */
  isShared(): boolean
  close(): void
}

export interface LimiterOptions {
  readonly redis: RedisConnection
  readonly clock: Clock
  readonly telemetry: Telemetry
}

const PROBE_EVERY_MS = 500
/** The probe takes a token like every request: a replica that answers PING but refuses writes does not count. */
const PROBE: LimitRequest = { policy: 'probe', key: 'limiter', quota: 1, windowSeconds: 1 }

/**
 * Degraded limits: one failed call switches the whole process to buckets of its own, of the same size; from then on no
 * request waits for Redis until a probe was answered. Callers get at most one quota per process.
 */
export function openLimiter({ redis, clock, telemetry }: LimiterOptions): Limiter {
  const shared = openSharedBuckets(redis, telemetry)
  const local = openLocalBuckets(clock)
  const refusals = telemetry.counter('rate_limit_refusals_total', 'Requests refused by a limit')
  const localAnswers = telemetry
    .counter('rate_limit_local_answers_total', 'Requests decided while Redis was unreachable')
    .bind({})
  const store = watchStore(shared, redis, telemetry)

  function decide<Policy extends string>(
    requests: readonly TakeRequest<Policy>[],
    deficits: readonly number[],
  ): LimitAnswer<Policy> {
    const states = limitStates(requests, deficits)
    const refusing = states.find((state) => !state.allowed)
    if (refusing === undefined) return { outcome: 'allowed', states }
    refusals.add(1, { 'rate.policy': refusing.policy })
    return { outcome: 'refused', states }
  }
  function takeLocally<Policy extends string>(requests: readonly TakeRequest<Policy>[]): LimitAnswer<Policy> {
    localAnswers.add(1)
    if (requests.some((request) => request.failClosed === true)) return { outcome: 'unavailable' }
    return decide(requests, local.take(requests))
  }
  return {
    async take(requests) {
      announceSlowCall('Redis')
      for (const request of requests) paceOf(request)
      if (requests.length === 0) return { outcome: 'allowed', states: [] }
      if (!store.isShared()) return takeLocally(requests)
      try {
        const deficits = await telemetry.span('take from limits', { store: 'redis' }, () => shared.take(requests))
        return decide(requests, deficits)
      } catch (error) {
        store.degrade(error)
        return takeLocally(requests)
      }
    },
    async giveBack(requests) {
      announceSlowCall('Redis')
      if (!store.isShared()) return local.giveBack(requests)
      try {
        await telemetry.span('give back to limits', { store: 'redis' }, () => shared.giveBack(requests))
      } catch (error) {
        store.degrade(error)
      }
    },
    isShared: () => store.isShared(),
    close: () => store.close(),
  }
}

interface WatchedStore {
  isShared(): boolean
  degrade(err: unknown): void
  close(): void
}

function watchStore(shared: SharedBuckets, redis: RedisConnection, telemetry: Telemetry): WatchedStore {
  let isShared = true
  let isClosed = false
  let probe: NodeJS.Timeout | undefined
  telemetry.gauge('rate_limit_shared', '1 while limits are shared by all processes', () => (isShared ? 1 : 0))

  function probeLater(): void {
    if (!isClosed) probe = setTimeout(() => void tryAgain(), PROBE_EVERY_MS).unref()
  }
  async function tryAgain(): Promise<void> {
    try {
      await shared.take([PROBE])
      isShared = true
      telemetry.log.info({}, 'rate limits are shared by all processes again')
    } catch {
      if (redis.isReady()) redis.reconnect()
      probeLater()
    }
  }
  function degrade(err: unknown): void {
    if (!isShared) return
    isShared = false
    telemetry.log.warn({ err }, 'rate limits apply per process until Redis answers; limits that fail closed refuse')
    probeLater()
  }
  if (!redis.isReady()) degrade(new Error('Redis did not answer at the start'))
  return {
    isShared: () => isShared,
    degrade,
    close() {
      isClosed = true
      clearTimeout(probe)
    },
  }
}
