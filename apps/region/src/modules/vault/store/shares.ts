import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { StagedFile } from '../model.ts'

export interface StagedShare extends StagedFile {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly id: string
  readonly expiresAt: Instant
}

export async function insertShare(tx: Tx, share: StagedShare): Promise<void> {
  await runStatement(
    tx,
    `insert into vault.staged_share (account_id, id, field_id, object_key, sha256, bytes, expires_at)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))`,
    [share.accountId, share.id, share.fieldId, share.objectKey, share.sha256, share.bytes, share.expiresAt],
  )
}

/** The bytes of all staged files that were not used yet. */
export async function countStagedBytes(read: Read, accountId: UserId): Promise<number> {
  const [row] = await runStatement<{ bytes: number }>(
    read,
    'select coalesce(sum(bytes), 0)::float8 as bytes from vault.staged_share where account_id = $1',
    [accountId],
  )
  return row?.bytes ?? 0
}

/** Deletes the row; the caller owns the object. Null when it is used, expired, or another account's. */
export async function takeShare(
  tx: Tx,
  { accountId, fieldId, id }: Pick<StagedShare, 'accountId' | 'fieldId' | 'id'>,
  now: Instant,
): Promise<StagedFile | null> {
  const [row] = await runStatement<StagedFile>(
    tx,
    `delete from vault.staged_share
    where account_id = $1 and field_id = $2 and id = $3 and expires_at > to_timestamp($4 / 1000.0)
    returning object_key as "objectKey", sha256, bytes`,
    [accountId, fieldId, id, now],
  )
  return row ?? null
}

/** Across accounts, for upkeep; answers the keys of the objects. */
export async function pruneShares(tx: Tx, now: Instant, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ objectKey: ObjectKey }>(
    tx,
    `delete from vault.staged_share where (account_id, id) in (select account_id, id from vault.staged_share
      where expires_at <= to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning object_key as "objectKey"`,
    [now, limit],
  )
  return rows.map(({ objectKey }) => objectKey)
}

export async function deleteShares(tx: Tx, accountId: UserId, fieldId: FieldId | null): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ objectKey: ObjectKey }>(
    tx,
    `delete from vault.staged_share where account_id = $1 and ($2::uuid is null or field_id = $2)
    returning object_key as "objectKey"`,
    [accountId, fieldId],
  )
  return rows.map(({ objectKey }) => objectKey)
}
