import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { RunName, StoredFile } from '../model.ts'

/** Inputs rest with the files of their run until a call names them, and go with them after a day. */
export async function findInput(
  read: Read,
  { accountId, id: runId }: RunName,
  input: string,
  sourceKey: string,
): Promise<StoredFile | null> {
  const [row] = await runStatement<StoredFile & Record<string, unknown>>(
    read,
    `select object_key as "objectKey", content_sha256 as sha256, bytes::float8 as bytes from flows_customer.file
    where account_id = $1 and id = $2 and run_id = $3 and slug = $4 and id like 'gi\\_%'`,
    [accountId, input, runId, sourceKey],
  )
  return row ?? null
}

/** Of these handles, or all for null; answers their objects. */
export async function deleteInputs(
  tx: Tx,
  { accountId, id }: RunName,
  handles: readonly string[] | null,
): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    tx,
    `delete from flows_customer.file where account_id = $1 and run_id = $2 and id like 'gi\\_%'
      and ($3::text[] is null or id = any($3))
    returning object_key as key`,
    [accountId, id, handles],
  )
  return rows.map(({ key }) => key)
}
