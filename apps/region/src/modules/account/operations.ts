import type { Clock, Ids, RegionCode, UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import type { Account, KeyWraps, NewAccount } from './account.ts'
import type { AccountDirectory, Listing } from './directory.ts'
import { insertAccount, replaceKeyWraps, setAccountEmail } from './store/accounts.ts'

export interface AccountNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly region: RegionCode
  readonly directory: AccountDirectory
  readonly guards: AccountGuards
  readonly hooks: AccountHooks
}

/** The gates remember accounts; this makes them look again. `access` answers it, from above. */
export interface AccountGuards {
  /** In the transaction that changes an account's level or removes it; answers the place of the change. */
  record(tx: Tx, id: UserId): Promise<number>
  /** Resolves when every process of the region decides by that change. */
  settle(revision: number): Promise<void>
}

/** What the modules above do in the transaction of such a change. */
export interface AccountHooks {
  readonly onLevelChanged: readonly ((tx: Tx, companyId: UserId, level: Level) => Promise<void>)[]
  readonly onAccountDeleted: readonly ((tx: Tx, account: Account) => Promise<void>)[]
  /** The account is called differently now. */
  readonly onProfileChanged: readonly ((tx: Tx, account: Account) => Promise<void>)[]
}

/**
 * The directory learns of the account first: one that is known there and missing here is harmless, the other way round
 * is not. Null when the address belongs to another account. Repeating it changes nothing.
 */
export async function createAccount(
  needs: AccountNeeds,
  account: NewAccount,
  wantedShareCode?: string,
): Promise<Listing | null> {
  const { id: userId, userType, level, email, kdf, keys } = account
  const listing = await needs.directory.putAccount({
    userId,
    userType,
    region: needs.region,
    level,
    email,
    kdf,
    publicKey: keys?.publicKey ?? null,
    shareCode: wantedShareCode,
  })
  if (listing === null) return null
  await needs.database.transaction((tx) => insertAccount(tx, { ...account, ...listing, createdAt: needs.clock.now() }))
  return listing
}

/**
 * A new password brings new wraps. The directory, which tells a login how to derive, hears of it by the same transaction:
 * neither the old nor the new password may ever be good on one side only.
 */
export async function changeKeyWraps(
  { directory }: Pick<AccountNeeds, 'directory'>,
  tx: Tx,
  userId: UserId,
  wraps: KeyWraps,
): Promise<void> {
  const rev = await replaceKeyWraps(tx, userId, wraps)
  if (rev !== null) await directory.tellKdf(tx, userId, wraps.kdf, rev)
}

/**
 * False when the address belongs to another account. The directory decides, so it is asked first; if what follows fails,
 * the same call again goes on. `first` answers whether this is still to be done: an act that comes late must not undo a
 * newer one.
 */
export async function changeEmail(
  needs: Pick<AccountNeeds, 'database' | 'directory'>,
  userId: UserId,
  email: string,
  first: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const emailHash = await needs.directory.setEmail(userId, email)
  if (emailHash === null) return false
  await needs.database.transaction(async (tx) => {
    if (await first(tx)) await setAccountEmail(tx, userId, email, emailHash)
  })
  return true
}
