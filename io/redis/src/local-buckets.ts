import { type Clock, createBoundedCache } from '@sealpost/kernel'
import {
  deficitAfterReturn,
  deficitAt,
  fullAfterTaking,
  fullAtDeficit,
  hasToken,
  type LimitRequest,
  msUntilFull,
  paceOf,
} from './bucket.ts'

export interface LocalBuckets {
  /** Takes for one request, all or nothing; returns the tokens that were missing from each bucket before. */
  take(requests: readonly LimitRequest[]): readonly number[]
  /** Returns a token to each bucket. */
  giveBack(requests: readonly LimitRequest[]): void
  count(): number
}

const BUCKET_LIMIT = 100_000

/** The buckets of this process alone, while Redis is unreachable. A full bucket need not be kept. */
export function openLocalBuckets(clock: Clock, limit: number = BUCKET_LIMIT): LocalBuckets {
  /** The moment at which each is full. */
  const buckets = createBoundedCache<string, number>({
    most: limit,
    expiry: { keepMs: 0, now: () => clock.now() },
  })
  return {
    take(requests) {
      const nowMs = clock.now()
      const wanted = requests.map((request) => {
        const name = bucketName(request)
        const pace = paceOf(request)
        return { name, pace, deficit: deficitAt(pace, buckets.get(name) ?? 0, nowMs) }
      })
      if (wanted.every(({ pace, deficit }) => hasToken(pace, deficit))) {
        for (const { name, pace, deficit } of wanted) {
          const fullAt = fullAfterTaking(pace, deficit, nowMs)
          buckets.set(name, fullAt, msUntilFull(pace, fullAt, nowMs))
        }
      }
      return wanted.map(({ deficit }) => deficit)
    },
    giveBack(requests) {
      const nowMs = clock.now()
      for (const request of requests) {
        const name = bucketName(request)
        const pace = paceOf(request)
        const left = deficitAfterReturn(pace, deficitAt(pace, buckets.get(name) ?? 0, nowMs))
        const fullAt = fullAtDeficit(pace, left, nowMs)
        buckets.set(name, fullAt, msUntilFull(pace, fullAt, nowMs))
      }
    },
    count: () => buckets.size,
  }
}

export function bucketName(request: LimitRequest): string {
  return `${request.policy}:${request.key}`
}
