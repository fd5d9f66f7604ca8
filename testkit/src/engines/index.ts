export { startPrivateNats } from './nats.ts'
export {
  type PrivatePostgres,
  type PrivatePostgresOptions,
  startPrivatePostgres,
  startPrivateStandby,
} from './postgres.ts'
export type { PrivateEngine } from './private-engine.ts'
export { startPrivateRedis } from './redis.ts'
export { type PrivateS3, type PrivateS3Options, startPrivateS3 } from './s3.ts'
export { waitUntil } from './wait-until.ts'
