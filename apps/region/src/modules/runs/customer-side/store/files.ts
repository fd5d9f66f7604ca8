import type { Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { CustomerFile, RunName } from '../model.ts'

const FILE = `account_id as "accountId", id, service_id as "serviceId", run_id as "runId", slug,
  object_key as "objectKey", content_sha256 as sha256, bytes::float8 as bytes, is_used as "isUsed",
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt"`

/** False for a file that is here already. */
export async function insertFile(tx: Tx, file: CustomerFile): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into flows_customer.file (account_id, id, service_id, run_id, slug, object_key, content_sha256, bytes, is_used,
      created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10 / 1000.0))
    on conflict (account_id, id) do nothing returning id`,
    [
      file.accountId,
      file.id,
      file.serviceId,
      file.runId,
      file.slug,
      file.objectKey,
      file.sha256,
      file.bytes,
      file.isUsed,
      file.createdAt,
    ],
  )
  return rows.length === 1
}

export async function findFile(read: Read, accountId: UserId, id: string): Promise<CustomerFile | null> {
  const [row] = await runStatement<CustomerFile & Record<string, unknown>>(
    read,
    `select ${FILE} from flows_customer.file where account_id = $1 and id = $2`,
    [accountId, id],
  )
  return row ?? null
}

/** They belong to the run from now on, and go with its data. */
export async function useFiles(tx: Tx, { accountId, id }: RunName, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  await runStatement(
    tx,
    `update flows_customer.file set is_used = true, run_id = $3
    where account_id = $1 and id = any($2::text[]) and (run_id is null or run_id = $3)`,
    [accountId, files, id],
  )
}

export async function deleteFilesOfRun(tx: Tx, { accountId, id }: RunName): Promise<readonly ObjectKey[]> {
  const sql = 'delete from flows_customer.file where account_id = $1 and run_id = $2 returning object_key as key'
  const rows = await runStatement<{ key: ObjectKey }>(tx, sql, [accountId, id])
  return rows.map(({ key }) => key)
}

export async function deleteFilesOfAccount(tx: Tx, accountId: UserId): Promise<readonly ObjectKey[]> {
  const sql = 'delete from flows_customer.file where account_id = $1 returning object_key as key'
  const rows = await runStatement<{ key: ObjectKey }>(tx, sql, [accountId])
  return rows.map(({ key }) => key)
}

/** Files of all accounts that nothing used. */
export async function deleteUnusedFiles(tx: Tx, before: Instant, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    tx,
    `delete from flows_customer.file where (account_id, id) in (
      select account_id, id from flows_customer.file
      where not is_used and created_at <= to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning object_key as key`,
    [before, limit],
  )
  return rows.map(({ key }) => key)
}

/** In their order, for the comparison with the object store. */
export async function listRunFileObjects(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const sql = 'select object_key as key from flows_customer.file where object_key > $1 order by 1 limit $2'
  const rows = await runStatement<{ key: ObjectKey }>(read, sql, [after, limit])
  return rows.map(({ key }) => key)
}
