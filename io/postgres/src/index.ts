export {
  type Database,
  type DatabaseObserver,
  type DatabaseOptions,
  openDatabase,
  type TransactionOutcome,
} from './database.ts'
export {
  CommitOutcomeUnknownError,
  DatabaseBusyError,
  DatabaseUnavailableError,
  PoolExhaustedError,
  TransactionAbortedError,
} from './errors.ts'
export { locatePrimary } from './find-primary.ts'
export { gatherReads } from './gather.ts'
export { listen, type Listener, type ListenOptions } from './listen.ts'
export { joinMigrations, migrate, type MigrationSet, sqlMigration, type SqlMigration } from './migrations.ts'
export { ping } from './ping.ts'
export type { PoolUse } from './primary-pools.ts'
export { queries, type Read, runStatement, type Tx } from './scope.ts'
export { createShelves, type Shelf, shelfOf, SHELVES, sweepShelf } from './shelves.ts'
export { guardTransactions } from './slow-guard.ts'
