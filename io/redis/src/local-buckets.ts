import type { Clock } from '@sealpost/kernel'
import { deficitAt, fullAfterTaking, hasToken, type LimitRequest, momentAt, type Pace, paceOf } from './bucket.ts'

export interface LocalBuckets {
  /** Takes for one request, all or nothing; answers what was missing from each bucket before. */
  take(requests: readonly LimitRequest[]): readonly number[]
  count(): number
}

interface Bucket {
  readonly pace: Pace
  readonly fullAt: number
}

const BUCKET_LIMIT = 100_000

/** The buckets of this process alone, for the time that Redis is away. */
export function openLocalBuckets(clock: Clock, limit: number = BUCKET_LIMIT): LocalBuckets {
  const buckets = new Map<string, Bucket>()
  return {
    take(requests) {
      const nowMs = clock.now()
      const wanted = requests.map((request) => {
        const name = bucketName(request)
        const pace = paceOf(request)
        return { name, pace, deficit: deficitAt(pace, buckets.get(name)?.fullAt ?? 0, nowMs) }
      })
      if (wanted.every(({ pace, deficit }) => hasToken(pace, deficit))) {
        for (const { name, pace, deficit } of wanted) {
          // Deleting first moves it to the end: the front is what nobody has asked for longest.
          buckets.delete(name)
          buckets.set(name, { pace, fullAt: fullAfterTaking(pace, deficit, nowMs) })
          forgetOldest(buckets, nowMs, limit)
        }
      }
      return wanted.map(({ deficit }) => deficit)
    },
    count: () => buckets.size,
  }
}

export function bucketName(request: LimitRequest): string {
  return `${request.policy}:${request.key}`
}

/** Two looks for every bucket added keep the map near the number of buckets that are not full. */
function forgetOldest(buckets: Map<string, Bucket>, nowMs: number, limit: number): void {
  let looks = 2
  for (const [name, { pace, fullAt }] of buckets) {
    const isFull = fullAt <= momentAt(pace, nowMs)
    if (looks === 0 || (!isFull && buckets.size <= limit)) return
    buckets.delete(name)
    looks -= 1
  }
}
