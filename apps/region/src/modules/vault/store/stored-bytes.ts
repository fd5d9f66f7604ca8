import type { Instant, UserId } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'

const BYTES = columns({ bytes: 'float' })

export async function findStoredBytes(read: Read, accountId: UserId): Promise<number> {
  const sql = 'select bytes::float8 as bytes from vault.stored_bytes where account_id = $1'
  const [row] = await runStatement(read, sql, [accountId], BYTES)
  return row?.bytes ?? 0
}

/** Adds to the counter and answers its new value. The row stays locked, so concurrent changes of an account add up. */
export async function addStoredBytes(tx: Tx, accountId: UserId, bytes: number, at: Instant): Promise<number> {
  const [row] = await runStatement(
    tx,
    `insert into vault.stored_bytes as known (account_id, bytes, checked_at)
    values ($1, greatest($2, 0), to_timestamp($3 / 1000.0))
    on conflict (account_id) do update set bytes = greatest(known.bytes + $2, 0) returning bytes::float8 as bytes`,
    [accountId, bytes, at],
    BYTES,
  )
  return row?.bytes ?? 0
}

export async function deleteStoredBytes(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from vault.stored_bytes where account_id = $1', [accountId])
}

const ACCOUNT = columns<{ accountId: UserId }>({ accountId: 'uuid' })

/** The accounts whose counter was compared longest ago; across accounts, for upkeep. */
export async function listUnchecked(read: Read, before: Instant, limit: number): Promise<readonly UserId[]> {
  const rows = await runStatement(
    read,
    `select account_id as "accountId" from vault.stored_bytes where checked_at < to_timestamp($1 / 1000.0)
    order by checked_at limit $2`,
    [before, limit],
    ACCOUNT,
  )
  return rows.map(({ accountId }) => accountId)
}

const COUNTED = columns({ counted: 'float', stored: 'float' })

/**
 * Sets the counter to the sum of the objects; answers both. The lock is a statement of its own: the sum then sees
 * everything that a transaction with the lock has committed, and later ones add to it.
 */
export async function recountStoredBytes(
  tx: Tx,
  accountId: UserId,
  at: Instant,
): Promise<{ readonly counted: number; readonly stored: number } | null> {
  await runStatement(tx, 'select 1 from vault.stored_bytes where account_id = $1 for update', [accountId])
  const [row] = await runStatement(
    tx,
    `with objects as (
      select (select coalesce(sum(bytes), 0) from vault.value where account_id = $1 and kind = 'object')
        + (select coalesce(sum(full_bytes + card_bytes), 0) from vault.photo where account_id = $1) as bytes),
    before as (select bytes from vault.stored_bytes where account_id = $1)
    update vault.stored_bytes known set bytes = objects.bytes, checked_at = to_timestamp($2 / 1000.0)
    from objects, before where known.account_id = $1
    returning before.bytes::float8 as counted, known.bytes::float8 as stored`,
    [accountId, at],
    COUNTED,
  )
  return row ?? null
}
