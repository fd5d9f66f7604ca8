import { instant, type UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { removeAll } from '../../../platform/remove-all.ts'
import { findAccount } from '../../account/index.ts'
import type { VaultContext } from '../context.ts'
import { refuseOverQuota } from '../rules/quota.ts'
import { addStoredBytes, findStoredBytes, listUnchecked, recountStoredBytes } from '../store/stored-bytes.ts'

type Counting = Pick<VaultContext, 'clock' | 'settings'>

/**
 * [Note: stored bytes] Part of each transaction that stores, replaces or deletes an object of an account: `bytes` is the
 * difference. Refuses one that would exceed the quota of the level. The counter is the last row that such a
 * transaction locks of the account's own.
 */
export async function countStored(
  { clock, settings }: Counting,
  tx: Tx,
  accountId: UserId,
  bytes: number,
): Promise<void> {
  if (bytes === 0) return
  const stored = await addStoredBytes(tx, accountId, bytes, clock.now())
  if (bytes > 0) refuseOverQuota(stored, await findQuota({ settings }, tx, accountId), bytes)
}

/** The same before a file is stored, so that a refused call has not filled the store. */
export async function requireRoom(
  { settings }: Pick<Counting, 'settings'>,
  read: Read,
  accountId: UserId,
  bytes: number,
): Promise<void> {
  if (bytes <= 0) return
  refuseOverQuota(
    (await findStoredBytes(read, accountId)) + bytes,
    await findQuota({ settings }, read, accountId),
    bytes,
  )
}

/** What an account stores, and its quota; null for none. Hook of the account. */
export async function readStorage(
  vault: Pick<Counting, 'settings'>,
  read: Read,
  accountId: UserId,
): Promise<{ readonly storedBytes: number; readonly quotaBytes: number | null }> {
  const quotaBytes = await findQuota(vault, read, accountId)
  return { storedBytes: await findStoredBytes(read, accountId), quotaBytes }
}

async function findQuota(
  { settings }: Pick<Counting, 'settings'>,
  read: Read,
  accountId: UserId,
): Promise<number | null> {
  const account = await findAccount(read, accountId)
  return account === null ? null : settings.QUOTA_MB[account.level]
}

const RECOUNT_AFTER_MS = 24 * 3_600_000
const AT_ONCE = 100

/** Once a day per account; a difference is a bug or a hand-made change, so the log names it. */
export async function recountStored({
  database,
  clock,
  log,
}: Pick<VaultContext, 'database' | 'clock' | 'log'>): Promise<void> {
  const now = clock.now()
  await removeAll(AT_ONCE, async (limit) => {
    const accounts = await database.read((read) => listUnchecked(read, instant(now - RECOUNT_AFTER_MS), limit))
    for (const accountId of accounts) {
      const found = await database.transaction((tx) => recountStoredBytes(tx, accountId, now))
      if (found !== null && found.counted !== found.stored) {
        log.warn({ accountId, ...found }, 'the counter of stored bytes was wrong and is corrected')
      }
    }
    return accounts.length
  })
}
