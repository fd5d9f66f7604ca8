export { sessionMigrations } from './migrations.ts'
export { openSessions } from './module.ts'
export { takeFromAccount } from './operations/take-from-account.ts'
