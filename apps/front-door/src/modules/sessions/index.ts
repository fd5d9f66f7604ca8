export { sessionMigrations } from './migrations.ts'
export { openSessions } from './module.ts'
export { countFailures } from './operations/count-failures.ts'
