export type { Account, KeyBundle, KeyWraps, KnownAccount, NewAccount, UserType } from './account.ts'
export { accountDirectory, hearOfErasedAccounts } from './bus.ts'
export { eraseAccount } from './deletion.ts'
export type { AccountDirectory, DirectoryAccount, FoundAccount, Listing } from './directory.ts'
export { setLevel } from './levels.ts'
export { accountMigrations } from './migrations.ts'
export {
  type AccountGuards,
  type AccountHooks,
  type AccountNeeds,
  changeEmail,
  changeKeyWraps,
  createAccount,
} from './operations.ts'
export type { RecoveryProof } from './recovery.ts'
export { type AccountRouteNeeds, bindAccountRoutes } from './routes/index.ts'
export { sealToRecoveryKey } from './sealing.ts'
export {
  findAccount,
  findAccountByEmail,
  findAccountKeys,
  holdAccount,
  holdProfile,
  insertAccount,
  lockAccount,
} from './store/accounts.ts'
export { type AuditEntry, recordAudit } from './store/audit.ts'
export {
  type Delegate,
  type DelegateId,
  dropDelegatedService,
  findDelegate,
  findDelegateKey,
  findDelegateRegion,
} from './store/delegates.ts'
export { dropRecoveryCopies, type NewRecoveryCopy, putRecoveryCopy } from './store/recovery.ts'
