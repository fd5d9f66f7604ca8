import type { Instant, UserId } from '@sealpost/kernel'
import type { Kdf, Level, PasswordWrap } from '@sealpost/protocol'

export type UserType = 'person' | 'company'

/** A person or a company whose home is here. */
export interface Account {
  readonly id: UserId
  readonly userType: UserType
  readonly email: string
  readonly emailHash: string
  readonly displayName: string
  /** A language tag; what the account is written to in. */
  readonly language: string
  readonly level: Level
  readonly shareCode: string
  /** Null until the owner has stored a key bundle. */
  readonly publicKey: string | null
  /** Companies only. */
  readonly recoveryPublicKey: string | null
  readonly createdAt: Instant
}

/** What the owner's device made; the server can open none of it. */
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

/** As the directory has answered: an account is only stored once it is known there. */
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
