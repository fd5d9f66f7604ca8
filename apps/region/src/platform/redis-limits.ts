import { type Limiter, openLimiter, openRedis, type RedisConnection } from '@sealpost/redis'
import type { Closable, Platform } from './module.ts'

/** Redis and the limits in it, for processes that answer calls and asks. */
export interface RedisLimits extends Closable {
  readonly redis: RedisConnection | null
  readonly limiter: Pick<Limiter, 'take'>
  /** Null where no calls and asks are answered. */
  readonly opened: { readonly redis: RedisConnection; readonly limiter: Limiter } | null
}

export async function openRedisLimits(
  { settings, clock, telemetry }: Platform,
  isAnswering: boolean,
): Promise<RedisLimits> {
  if (!isAnswering) return NONE
  const redis = await openRedis({
    url: settings.REDIS_URL.reveal(),
    commandTimeoutMs: settings.REDIS_TIMEOUT_MS,
    telemetry,
  })
  const limiter = openLimiter({ redis, clock, telemetry })
  return {
    redis,
    limiter,
    opened: { redis, limiter },
    async close() {
      limiter.close()
      await redis.close()
    },
  }
}

const NONE: RedisLimits = {
  redis: null,
  limiter: {
    take() {
      throw new Error('this process answers no calls')
    },
  },
  opened: null,
  async close() {},
}
