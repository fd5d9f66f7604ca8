import type { Instant } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

export async function insertGarbage(tx: Tx, keys: readonly ObjectKey[], dueAt: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into vault.garbage (object_key, due_at)
    select key, to_timestamp($2 / 1000.0) from unnest($1::text[]) as key
    on conflict (object_key) do nothing`,
    [keys, dueAt],
  )
}

/** The value that an object is a version of: a field of an account, or a slot of a connection. */
export interface Subject {
  readonly subjectId: string
  readonly partId: string
}

/** `dueAt`: when no backup refers to the object any more. */
export async function insertSuperseded(
  tx: Tx,
  key: ObjectKey,
  { subjectId, partId }: Subject,
  { at, dueAt }: { readonly at: Instant; readonly dueAt: Instant },
): Promise<void> {
  await runStatement(
    tx,
    `insert into vault.garbage (object_key, due_at, superseded_at, subject_id, part_id)
    values ($1, to_timestamp($2 / 1000.0), to_timestamp($3 / 1000.0), $4, $5)
    on conflict (object_key) do nothing`,
    [key, dueAt, at, subjectId, partId],
  )
}

/** `parts` null: all of these subjects. Never later than before. */
export async function hasten(
  tx: Tx,
  subjects: readonly string[],
  parts: readonly string[] | null,
  dueAt: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `update vault.garbage set due_at = to_timestamp($3 / 1000.0)
    where subject_id = any($1::uuid[]) and ($2::uuid[] is null or part_id = any($2))
      and due_at > to_timestamp($3 / 1000.0)`,
    [subjects, parts, dueAt],
  )
}

/** Of the versions of one value, all but the newest `kept`. Never later than before. */
export async function hastenOldest(
  tx: Tx,
  { subjectId, partId }: Subject,
  kept: number,
  dueAt: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `update vault.garbage set due_at = to_timestamp($4 / 1000.0) where object_key in (
      select object_key from vault.garbage where subject_id = $1 and part_id = $2
      order by superseded_at desc offset $3)
      and due_at > to_timestamp($4 / 1000.0)`,
    [subjectId, partId, kept, dueAt],
  )
}

/** Superseded objects that a bucket with versioning can hide already. */
export async function listVisible(read: Read, before: Instant, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ object_key: ObjectKey }>(
    read,
    `select object_key from vault.garbage
    where superseded_at <= to_timestamp($1 / 1000.0) and not is_hidden and not is_taken
    order by superseded_at limit $2`,
    [before, limit],
  )
  return rows.map((row) => row.object_key)
}

export async function setHidden(tx: Tx, keys: readonly ObjectKey[]): Promise<void> {
  await runStatement(tx, 'update vault.garbage set is_hidden = true where object_key = any($1::text[])', [keys])
}

/** In the order of keys. */
export async function listGarbage(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const sql = 'select object_key from vault.garbage where object_key > $1 order by object_key limit $2'
  const rows = await runStatement<{ object_key: ObjectKey }>(read, sql, [after, limit])
  return rows.map((row) => row.object_key)
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
