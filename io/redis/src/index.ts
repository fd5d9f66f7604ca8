export { type BucketSize, checkBucketSize, type LimitRequest, type LimitState } from './bucket.ts'
export { openRedis, type RedisConnection, type RedisOptions, type RunScript } from './connection.ts'
export { type LimitAnswer, type Limiter, type LimiterOptions, openLimiter, type TakeRequest } from './limiter.ts'
export { redisSettings } from './settings.ts'
