export type { AccountContext, AccountHooks, RecoveryProof } from './context.ts'
export { accountMigrations } from './migrations.ts'
export type {
  Account,
  AccountDirectory,
  Delegate,
  DelegateId,
  DirectoryAccount,
  FoundAccount,
  KeyBundle,
  KeyWraps,
  KnownAccount,
  Listing,
  NewAccount,
  UserType,
} from './model.ts'
export { openAccount } from './module.ts'
export { changeEmail, changeKeyWraps, createAccount, eraseAccount, setLevel } from './operations/accounts.ts'
export { endDelegatedService } from './operations/tell-delegations.ts'
export { sealToRecoveryKey } from './operations/sealing.ts'
export {
  findAccount,
  findAccountByEmail,
  findAccountKeys,
  insertAccount,
  lockAccount,
  lockAccountForShare,
  lockProfileForShare,
} from './store/accounts.ts'
export { type AuditEntry, recordAudit } from './store/audit.ts'
export { findDelegate, findDelegateKey, findDelegateRegion } from './store/delegates.ts'
export { deleteRecoveryCopies, type NewRecoveryCopy, putRecoveryCopy } from './store/recovery.ts'
