export { batchReads } from './batch-reads.ts'
export {
  type Database,
  type DatabaseObserver,
  type DatabaseOptions,
  openDatabase,
  type TransactionOutcome,
  ping,
} from './database.ts'
export { checkRows, columns, type Columns, RowShapeError } from './columns.ts'
export {
  CommitOutcomeUnknownError,
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseUnavailableError,
  PoolExhaustedError,
  TransactionAbortedError,
} from './errors.ts'
export { locatePrimary } from './find-primary.ts'
export { listen, type Listener, type ListenOptions } from './listen.ts'
export {
  joinMigrations,
  migrate,
  migrateAndReport,
  type MigrationSet,
  sqlMigration,
  type SqlMigration,
} from './migrations.ts'
export {
  createPartitions,
  DAILY_PARTITIONS,
  emptyPartition,
  type Partition,
  partitionOf,
  truncatePartition,
} from './partitions.ts'
export type { PoolUse } from './primary-pools.ts'
export { readReplication, type Replication, type Standby } from './replication.ts'
export { requireSteps } from './schema.ts'
export { type AnswerStore, type Read, runStatement, type Tx, withAnswerStore } from './scope.ts'
export { databaseLimits, databaseSettings } from './settings.ts'
export { guardTransactions } from './slow-guard.ts'
export { WAKE_LASTS_MS } from './wake-ups.ts'
export { workFor } from './work-owner.ts'
