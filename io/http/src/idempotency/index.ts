export { idempotencyMigrations } from './migrations.ts'
export type { Begun, Claim, IdempotencyStore, Lease, StoredAnswer } from './port.ts'
export { postgresIdempotency } from './postgres.ts'
