export {
  ENGINES_FILE,
  type Engines,
  type Environment,
  LOCAL_FOLDER,
  readEngines,
  variableName,
  type RegionEngines,
  type S3Endpoint,
  type SiteEngines,
} from './endpoints.ts'
export type { CephSite } from './ceph-config.ts'
export { answersHttp, type CephDaemon, createS3User, isCephCreated, launchCeph, moveCeph, type S3User } from './ceph.ts'
export { makeBucket, type TestBucket } from './bucket.ts'
export { type BusLogins, createBusLogins, type NatsAccount } from './bus-logins.ts'
export { claimFile } from './claim-file.ts'
export { withClient } from './client.ts'
export { type Fault, type FaultProxy, GARBAGE, NO_FAULT, S3_ERROR, startFaultProxy } from './fault-proxy.ts'
export { listenerAt } from './listener.ts'
export { answersJetStream, natsConfig, natsVersion, type PrivateNatsOptions, startPrivateNats } from './nats.ts'
export { claimPort, isPortFree, reservePort, type ReservedPort } from './ports.ts'
export {
  answersSql,
  findPostgresPrograms,
  POSTGRES_USER,
  type PrivatePostgres,
  type PrivatePostgresOptions,
  startPrivatePostgres,
  startPrivateStandby,
} from './postgres.ts'
export type { PrivateEngine } from './private-engine.ts'
export { type Command, commandLine, isAlive, processBirth, runCommand, runsAsRoot } from './processes.ts'
export { recordStatements } from './record-statements.ts'
export { answersPing, askRedis, redisFlags, redisProgram, startPrivateRedis } from './redis.ts'
export { type PrivateS3, type PrivateS3Options, startPrivateS3 } from './s3.ts'
export { useThrowawayPostgres } from './throwaway-postgres.ts'
export { waitUntil } from './wait-until.ts'
