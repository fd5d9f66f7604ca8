import { limitHeader, limitPolicyHeader, limitRefusal } from '@sealpost/http'
import { type RateClass, refuse } from '@sealpost/protocol'
import type { Limiter } from '@sealpost/redis'

interface Bucket {
  readonly policy: RateClass
  readonly key: string
  readonly quota: number
}

/** Takes one from a bucket that is refilled over a minute; answers the headers that say how it stands. */
export async function takeFromBucket(
  { limiter }: { readonly limiter: Limiter },
  bucket: Bucket,
): Promise<Readonly<Record<string, string>>> {
  const answer = await limiter.take([{ ...bucket, windowSeconds: 60 }])
  if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
  const refusal = limitRefusal(answer.states)
  if (refusal !== null) throw refusal
  return { 'ratelimit-policy': limitPolicyHeader(answer.states), ratelimit: limitHeader(answer.states) }
}
