import type { Brand, Instant, RegionCode, ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { DelegateRole, Kdf, Level, PasswordWrap, RecoveryKind } from '@sealpost/protocol'

export type UserType = 'person' | 'company'

/** A person or a company whose home region is this one. */
export interface Account {
  readonly id: UserId
  readonly userType: UserType
  readonly email: string
  readonly emailHash: string
  readonly displayName: string
  /** The language tag of mails to the account. */
  readonly language: string
  readonly level: Level
  readonly shareCode: string
  /** Null until the owner has stored a key bundle. */
  readonly publicKey: string | null
  /** Companies only. */
  readonly recoveryPublicKey: string | null
  readonly createdAt: Instant
}

/** Made by the owner's device; the server cannot open it. */
export interface KeyBundle {
  readonly publicKey: string
  readonly encryptedPrivateKey: PasswordWrap
}

export interface NewAccount {
  readonly id: UserId
  readonly userType: UserType
  readonly email: string
  readonly displayName: string
  readonly language: string
  readonly level: Level
  readonly kdf: Kdf
  readonly keys: KeyBundle | null
  readonly recoveryKeys: KeyBundle | null
}

/** With the directory's answer: an account is stored here after it is known there. */
export interface KnownAccount extends NewAccount {
  readonly emailHash: string
  readonly shareCode: string
  readonly createdAt: Instant
}

/** Private keys under a key of the password; a new password brings new ones. */
export interface KeyWraps {
  readonly kdf: Kdf
  readonly encryptedPrivateKey: PasswordWrap
  /** Companies only. */
  readonly encryptedRecoveryKey: PasswordWrap | null
}

export type DelegateId = Brand<string, 'DelegateId'>

/** A user with access to a company's portal, as the gates read it. */
export interface Delegate {
  readonly id: DelegateId
  readonly role: DelegateRole
  readonly services: readonly ServiceId[]
}

export interface DelegateRow extends Delegate {
  readonly userId: UserId
  readonly userRegion: string
  readonly shareCode: string
  /** Null until the home of the user has told it. */
  readonly displayName: string | null
  readonly publicKey: string | null
  /** The services whose passphrase was handed over. */
  readonly keyedServices: readonly ServiceId[]
  readonly createdAt: Instant
}

/** A company for which a user of this region may act. */
export interface Membership {
  readonly companyId: UserId
  readonly region: string
  readonly displayName: string
  readonly role: DelegateRole
  readonly services: readonly ServiceId[]
}

/** As in lists: the sealed secret is not part of them. */
export interface RecoveryCopy {
  readonly id: string
  readonly kind: RecoveryKind
  readonly refId: string
  readonly createdAt: Instant
}

/** The asks and tells of this module to the global directory; `bus.ts` sends them. */
export interface AccountDirectory {
  /** Null when the address belongs to another account. */
  putAccount(account: DirectoryAccount): Promise<Listing | null>
  setLevel(userId: UserId, level: Level): Promise<void>
  setPublicKey(userId: UserId, publicKey: string): Promise<void>
  /** The hash of the new address; null when that belongs to another account. */
  setEmail(userId: UserId, email: string): Promise<string | null>
  findByShareCode(shareCode: string): Promise<FoundAccount | null>
  /** In the transaction that stores it, so that directory and region agree. */
  tellKdf(tx: Tx, userId: UserId, kdf: Kdf, rev: number): Promise<void>
  /** Tells the home of a delegate what the user may do now; `role` null: nothing any more. */
  tellDelegation(tx: Tx, delegation: Delegation): Promise<void>
  /** Tells the region of a company the name of its delegate. */
  tellName(tx: Tx, named: NamedDelegate): Promise<void>
  /** Tells the directory and every other region that the account is gone. */
  tellErased(tx: Tx, userId: UserId): Promise<void>
}

export interface DirectoryAccount {
  readonly userId: UserId
  readonly userType: UserType
  readonly region: RegionCode
  readonly level: Level
  readonly email: string
  readonly kdf: Kdf
  readonly publicKey: string | null
  /** For seeded personas; the directory makes every other code. */
  readonly shareCode?: string | undefined
}

export interface Delegation {
  readonly companyId: UserId
  readonly companyName: string
  readonly userId: UserId
  readonly userRegion: string
  readonly role: DelegateRole | null
  readonly services: readonly ServiceId[]
}

export interface NamedDelegate {
  readonly companyId: UserId
  /** Of the company. */
  readonly region: string
  readonly userId: UserId
  readonly displayName: string
}

export interface Listing {
  readonly emailHash: string
  readonly shareCode: string
}

export interface FoundAccount {
  readonly userId: UserId
  readonly userType: UserType
  readonly region: string
  readonly publicKey: string | null
}
