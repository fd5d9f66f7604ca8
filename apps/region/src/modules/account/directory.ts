import type { RegionCode, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Kdf, Level } from '@sealpost/protocol'
import type { UserType } from './account.ts'

/** What this module asks and tells the global directory; `bus.ts` carries it. */
export interface AccountDirectory {
  /** Null when the address belongs to another account. */
  putAccount(account: DirectoryAccount): Promise<Listing | null>
  setLevel(userId: UserId, level: Level): Promise<void>
  setPublicKey(userId: UserId, publicKey: string): Promise<void>
  /** The hash of the new address; null when that belongs to another account. */
  setEmail(userId: UserId, email: string): Promise<string | null>
  findByShareCode(shareCode: string): Promise<FoundAccount | null>
  /** In the transaction that stores it: the two must not part ways. */
  tellKdf(tx: Tx, userId: UserId, kdf: Kdf, rev: number): Promise<void>
  /** Tells the directory, and every other region, that nobody may find this account any more. */
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
  /** For personas; every other code is made by the directory. */
  readonly shareCode?: string | undefined
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
