import type { Instant } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { runStatement, type Tx } from '@sealpost/postgres'

export async function insertGarbage(tx: Tx, keys: readonly ObjectKey[], dueAt: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into vault.garbage (object_key, due_at)
    select key, to_timestamp($2 / 1000.0) from unnest($1::text[]) as key
    on conflict (object_key) do nothing`,
    [keys, dueAt],
  )
}

/** False when it is not on the list, or is being removed. */
export async function deleteKept(tx: Tx, key: ObjectKey): Promise<boolean> {
  const sql = 'delete from vault.garbage where object_key = $1 and not is_taken returning object_key'
  return (await runStatement(tx, sql, [key])).length === 1
}

/** False when it is not on the list, or is being removed. */
export async function setDue(tx: Tx, key: ObjectKey, dueAt: Instant): Promise<boolean> {
  const sql = `update vault.garbage set due_at = to_timestamp($2 / 1000.0)
    where object_key = $1 and not is_taken returning object_key`
  return (await runStatement(tx, sql, [key, dueAt])).length === 1
}

/** Marks due objects as taken; an object that another worker left taken is taken again. */
export async function takeDue(tx: Tx, now: Instant, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ object_key: ObjectKey }>(
    tx,
    `update vault.garbage set is_taken = true where object_key in (
      select object_key from vault.garbage where due_at <= to_timestamp($1 / 1000.0)
      order by due_at limit $2 for update skip locked)
    returning object_key`,
    [now, limit],
  )
  return rows.map((row) => row.object_key)
}

export async function deleteTaken(tx: Tx, keys: readonly ObjectKey[]): Promise<void> {
  const sql = 'delete from vault.garbage where object_key = any($1::text[]) and is_taken'
  await runStatement(tx, sql, [keys])
}

/** Keeps the object taken, behind all that were due before now. */
export async function putLast(tx: Tx, key: ObjectKey, now: Instant): Promise<void> {
  const sql = 'update vault.garbage set due_at = to_timestamp($2 / 1000.0) where object_key = $1 and is_taken'
  await runStatement(tx, sql, [key, now])
}
