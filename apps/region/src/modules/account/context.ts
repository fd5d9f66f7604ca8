import type { Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import type { Platform } from '../../platform/module.ts'
import type { Account, AccountDirectory } from './model.ts'

export interface AccountContext extends Platform {
  readonly directory: AccountDirectory
  readonly hooks: AccountHooks
}

/** Calls to the modules above. Those with a `tx` run in the transaction of the change. */
export interface AccountHooks {
  /** Records that an account's level changed or that it is gone; answers the revision for `awaitGuards`. */
  recordChange(tx: Tx, id: UserId): Promise<number>
  /** Resolves when every process of the region decides by that revision. */
  awaitGuards(revision: number): Promise<void>
  /** Whether all of these are services of the company. */
  ownsServices(read: Read, companyId: UserId, services: readonly ServiceId[]): Promise<boolean>
  /** The names of those that are machine clients of the company. */
  clientNames(read: Read, companyId: UserId, clientIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  recoveryProof(): RecoveryProof
  /** The bytes that the account stores in files, and its quota; null for none. */
  storage(read: Read, id: UserId): Promise<{ readonly storedBytes: number; readonly quotaBytes: number | null }>
  readonly onLevelChanged: readonly ((tx: Tx, companyId: UserId, level: Level) => Promise<void>)[]
  readonly onAccountDeleted: readonly ((tx: Tx, account: Account) => Promise<void>)[]
  /** The display name of the account changed. */
  readonly onProfileChanged: readonly ((tx: Tx, account: Account) => Promise<void>)[]
}

/** How the owner proves to be present: the password and a mailed code. */
export interface RecoveryProof {
  /** Mails a code; a newer code ends the older one. */
  sendCode(userId: UserId): Promise<void>
  /**
   * Throws the refusal unless both are right. The code stays valid for its time: a lost answer can be requested again.
   */
  check(userId: UserId, proof: { readonly verifier: Secret<string>; readonly code: string }): Promise<void>
}
