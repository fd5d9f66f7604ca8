import type { UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { AccountContext } from '../context.ts'
import type { Account, KeyBundle } from '../model.ts'
import {
  type AccountKeys,
  findAccount,
  findAccountKeys,
  lockProfile,
  storeKeys,
  updateProfile,
} from '../store/accounts.ts'
import { isUsablePublicKey } from './sealing.ts'
import { tellCompanies, tellDelegates } from './tell-delegations.ts'

/** The caller's account; it may have been erased since the gates passed. */
export async function requireAccount(read: Read, id: UserId): Promise<Account> {
  const account = await findAccount(read, id)
  if (account === null) throw refuse('auth.token_invalid')
  return account
}

export interface ProfileChange {
  readonly displayName?: string | undefined
  readonly language?: string | undefined
}

export async function changeProfile(
  account: Pick<AccountContext, 'database' | 'directory' | 'hooks'>,
  id: UserId,
  change: ProfileChange,
): Promise<Pick<Account, 'displayName' | 'language'>> {
  const { database, hooks } = account
  return database.transaction(async (tx) => {
    // Locked, so that hooks of concurrent changes run in the order of the commits.
    const before = await lockProfile(tx, id)
    const changed = await updateProfile(tx, id, change)
    if (before === null || changed === null) throw refuse('auth.token_invalid')
    const isRenamed = changed.displayName !== before.displayName
    if (!isRenamed) return changed
    for (const hook of hooks.onProfileChanged) await hook(tx, { ...before, ...changed })
    await tellDelegates(account, tx, id)
    await tellCompanies(account, tx, { userId: id, displayName: changed.displayName })
    return changed
  })
}

export async function findKeyBundle(
  { database }: Pick<AccountContext, 'database'>,
  id: UserId,
): Promise<KeyBundle | null> {
  return database.read((read) => readBundle(read, id))
}

/** Keys are stored once. Repeating the call completes one that failed before the directory had the public key. */
export async function storeKeyBundle(
  account: Pick<AccountContext, 'database' | 'directory'>,
  id: UserId,
  keys: KeyBundle,
): Promise<void> {
  if (!isUsablePublicKey(keys.publicKey)) throw refuse('services.key_invalid')
  await account.database.transaction(async (tx) => {
    const isStored = (await storeKeys(tx, id, keys)) || isSame(await readBundle(tx, id), keys)
    if (!isStored) throw refuse('profile.keys_exist')
  })
  await account.directory.setPublicKey(id, keys.publicKey)
}

async function readBundle(read: Read, id: UserId): Promise<KeyBundle | null> {
  return bundleOf(await findAccountKeys(read, id))
}

export function bundleOf(keys: AccountKeys | null): KeyBundle | null {
  const { publicKey = null, encryptedPrivateKey = null } = keys ?? {}
  return publicKey === null || encryptedPrivateKey === null ? null : { publicKey, encryptedPrivateKey }
}

function isSame(known: KeyBundle | null, { publicKey, encryptedPrivateKey: { iv, data } }: KeyBundle): boolean {
  if (known === null) return false
  const { encryptedPrivateKey: wrap } = known
  return known.publicKey === publicKey && wrap.iv === iv && wrap.data === data
}
