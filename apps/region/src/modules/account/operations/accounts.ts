import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import type { AccountContext } from '../context.ts'
import type { KeyWraps, Listing, NewAccount } from '../model.ts'
import {
  eraseRows,
  findAccount,
  insertAccount,
  replaceKeyWraps,
  setAccountEmail,
  setAccountLevel,
} from '../store/accounts.ts'
import { recordAudit } from '../store/audit.ts'
import { deleteDelegatesOf } from '../store/delegates.ts'
import { tellDelegationsEnded } from './tell-delegations.ts'

/**
 * The directory first: an account that is known there and missing here is harmless, the opposite is not. Null when the
 * e-mail address belongs to another account. Idempotent.
 */
export async function createAccount(
  context: AccountContext,
  fresh: NewAccount,
  wantedShareCode?: string,
): Promise<Listing | null> {
  const { id: userId, userType, level, email, kdf, keys } = fresh
  const listing = await context.directory.putAccount({
    userId,
    userType,
    region: context.region,
    level,
    email,
    kdf,
    publicKey: keys?.publicKey ?? null,
    shareCode: wantedShareCode,
  })
  if (listing === null) return null
  await context.database.transaction((tx) =>
    insertAccount(tx, { ...fresh, ...listing, createdAt: context.clock.now() }),
  )
  return listing
}

/**
 * Stores the wraps of a new password. The tell to the directory, which tells logins how to derive, is part of the same
 * transaction: a password is never valid on one side only.
 */
export async function changeKeyWraps(
  { directory }: Pick<AccountContext, 'directory'>,
  tx: Tx,
  userId: UserId,
  wraps: KeyWraps,
): Promise<void> {
  const rev = await replaceKeyWraps(tx, userId, wraps)
  if (rev !== null) await directory.tellKdf(tx, userId, wraps.kdf, rev)
}

/**
 * False when the address belongs to another account. The directory decides, so it is asked first; if a later step
 * fails, repeating the call completes it. `isCurrent` is false when a newer change was made: a late one must not undo
 * it.
 */
export async function changeEmail(
  context: Pick<AccountContext, 'database' | 'directory'>,
  userId: UserId,
  email: string,
  isCurrent: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const emailHash = await context.directory.setEmail(userId, email)
  if (emailHash === null) return false
  await context.database.transaction(async (tx) => {
    if (await isCurrent(tx)) await setAccountEmail(tx, userId, email, emailHash)
  })
  return true
}

/** For operators. False when this region has no such company. Resolves when every process decides by the new level. */
export async function setLevel(account: AccountContext, companyId: UserId, level: Level): Promise<boolean> {
  const company = await account.database.read((read) => findAccount(read, companyId))
  if (company?.userType !== 'company') return false
  // The directory decides about tokens, this region about calls: if the second step fails, repeat the command.
  await account.directory.setLevel(companyId, level)
  const revision = await account.database.transaction(async (tx) => {
    await setAccountLevel(tx, companyId, level)
    for (const hook of account.hooks.onLevelChanged) await hook(tx, companyId, level)
    const at = account.clock.now()
    await recordAudit(tx, { companyId, actorId: 'operator', action: 'account.set_level', ref: level, at })
    return account.hooks.recordChange(tx, companyId)
  })
  await account.hooks.awaitGuards(revision)
  return true
}

/**
 * Deletes an account: keys, address, recovery copies, delegates and log, in one transaction with the hooks of the other
 * modules and the tells to the directory and the other regions. Resolves when no process of this region accepts a token
 * of the account. Idempotent.
 */
export async function eraseAccount(account: AccountContext, userId: UserId): Promise<void> {
  const revision = await account.database.transaction(async (tx) => {
    const erased = await findAccount(tx, userId)
    if (erased !== null) {
      await tellDelegationsEnded(account, tx, userId)
      await deleteDelegatesOf(tx, userId)
      for (const hook of account.hooks.onAccountDeleted) await hook(tx, erased)
      await eraseRows(tx, userId)
      await account.directory.tellErased(tx, userId)
    }
    return account.hooks.recordChange(tx, userId)
  })
  await account.hooks.awaitGuards(revision)
}
