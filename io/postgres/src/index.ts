export { type Database, type DatabaseOptions, openDatabase } from './database.ts'
export { joinMigrations, migrate, type MigrationSet, sqlMigration } from './migrations.ts'
export { queries, type Read, runStatement, type Tx } from './scope.ts'
export { guardTransactions } from './slow-guard.ts'
