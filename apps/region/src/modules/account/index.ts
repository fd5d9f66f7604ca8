export { accountDirectory } from './bus.ts'
export type { AccountDirectory, DirectoryAccount } from './directory.ts'
export { accountMigrations } from './migrations.ts'
export { type AccountNeeds, createCompany, type NewCompany } from './operations.ts'
