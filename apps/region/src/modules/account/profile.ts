import type { UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { Account, KeyBundle } from './account.ts'
import type { AccountNeeds } from './operations.ts'
import { isUsablePublicKey } from './sealing.ts'
import {
  type AccountKeys,
  findAccount,
  findAccountKeys,
  lockProfile,
  storeKeys,
  updateProfile,
} from './store/accounts.ts'

/** Of a caller who passed the gates; a token of an account that was erased this moment is as dead as any other. */
export async function demandAccount(read: Read, id: UserId): Promise<Account> {
  const account = await findAccount(read, id)
  if (account === null) throw refuse('auth.token_invalid')
  return account
}

export interface ProfileChange {
  readonly displayName?: string | undefined
  readonly language?: string | undefined
}

export async function changeProfile(
  { database, hooks }: Pick<AccountNeeds, 'database' | 'hooks'>,
  id: UserId,
  change: ProfileChange,
): Promise<Pick<Account, 'displayName' | 'language'>> {
  return database.transaction(async (tx) => {
    // Locked: of two new names that cross, the one that others are told last is the one that stays.
    const before = await lockProfile(tx, id)
    const changed = await updateProfile(tx, id, change)
    if (before === null || changed === null) throw refuse('auth.token_invalid')
    const isRenamed = changed.displayName !== before.displayName
    if (isRenamed) for (const hook of hooks.onProfileChanged) await hook(tx, { ...before, ...changed })
    return changed
  })
}

export async function findKeyBundle(
  { database }: Pick<AccountNeeds, 'database'>,
  id: UserId,
): Promise<KeyBundle | null> {
  return database.read((read) => readBundle(read, id))
}

/** Once. A bundle that the directory did not hear of yet is sent again: the same call finds it stored and goes on. */
export async function storeKeyBundle(
  needs: Pick<AccountNeeds, 'database' | 'directory'>,
  id: UserId,
  keys: KeyBundle,
): Promise<void> {
  if (!isUsablePublicKey(keys.publicKey)) throw refuse('services.key_invalid')
  await needs.database.transaction(async (tx) => {
    const isStored = (await storeKeys(tx, id, keys)) || isSame(await readBundle(tx, id), keys)
    if (!isStored) throw refuse('profile.keys_exist')
  })
  await needs.directory.setPublicKey(id, keys.publicKey)
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
