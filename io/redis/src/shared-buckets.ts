import { createBatch } from '@sealpost/kernel'
import { systemScheduler } from '@sealpost/process'
import type { Telemetry } from '@sealpost/telemetry'
import { type LimitRequest, paceOf } from './bucket.ts'
import type { RedisConnection } from './connection.ts'
import { giveBackScript } from './give-back-script.ts'
import { callsFor, keyOf } from './take-call.ts'
import { paceArguments, SERVER_TIME, takeScript } from './take-script.ts'

export interface SharedBuckets {
  /** Like `LocalBuckets.take`, for all processes together; rejects when Redis does not answer in time. */
  take(requests: readonly LimitRequest[]): Promise<readonly number[]>
  /** Rejects when Redis does not answer in time. */
  giveBack(requests: readonly LimitRequest[]): Promise<void>
}

/** Redis runs a script exclusively: this bounds how long it blocks others, to well below a millisecond. */
const BUCKETS_AT_ONCE = 128

/**
 * Requests that arrive during a call to Redis are sent together in the next one, in their order, see [Note: batches]. The
 * script decides them one after the other, so the results are those of separate calls.
 */
export function openSharedBuckets(redis: RedisConnection, telemetry: Telemetry): SharedBuckets {
  const run = redis.script(takeScript())
  const runGiveBack = redis.script(giveBackScript(SERVER_TIME))
  const seconds = telemetry.histogram('rate_limit_call_seconds', 'Time of one call to the shared buckets').bind({})
  const sizes = telemetry.histogram('rate_limit_call_buckets', 'Buckets decided by one call').bind({})

  async function call(keys: readonly string[], args: readonly string[]): Promise<readonly number[]> {
    const startedAt = performance.now()
    sizes.record(keys.length)
    const answer = await run(keys, args)
    seconds.record((performance.now() - startedAt) / 1_000)
    return Array.isArray(answer) ? answer.map(Number) : []
  }
  const batch = createBatch<readonly LimitRequest[], readonly number[]>({
    most: BUCKETS_AT_ONCE,
    weigh: (requests) => requests.length,
    scheduler: systemScheduler,
    async run(asked) {
      try {
        const answers = await Promise.all(callsFor(asked).map(({ keys, args }) => call(keys, args)))
        return shareOut(asked, answers.flat())
      } catch (error) {
        // Later requests would only wait as long again.
        batch.rejectWaiting(error)
        throw error
      }
    },
  })
  return {
    take: (requests) => batch.ask(requests),
    async giveBack(requests) {
      await runGiveBack(requests.map(keyOf), paceArguments(requests.map(paceOf)))
    },
  }
}

function shareOut(
  asked: readonly (readonly LimitRequest[])[],
  deficits: readonly number[],
): readonly Promise<readonly number[]>[] {
  let first = 0
  return asked.map(async ({ length }) => {
    const own = deficits.slice(first, first + length)
    first += length
    if (own.length === length && own.every(Number.isFinite)) return own
    throw new Error('Redis answered the limiter with a reply that is not a number per bucket')
  })
}
