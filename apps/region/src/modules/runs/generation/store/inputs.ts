import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { RunName, StoredObject } from '../../service-side/model.ts'

/** Inputs rest with the answer files of their run until a call names them, and go with them after a day. */
export async function findInput(
  read: Read,
  { serviceId, id: runId }: RunName,
  input: string,
  sourceKey: string,
): Promise<StoredObject | null> {
  const [row] = await runStatement<StoredObject & Record<string, unknown>>(
    read,
    `select object_key as "objectKey", content_sha256 as sha256, bytes::float8 as bytes from flows_service.answer_file
    where service_id = $1 and id = $2 and run_id = $3 and slug = $4 and id like 'gi\\_%'`,
    [serviceId, input, runId, sourceKey],
  )
  return row ?? null
}

/** Of these handles, or all for null; answers their objects. */
export async function deleteInputs(
  tx: Tx,
  { serviceId, id }: RunName,
  handles: readonly string[] | null,
): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    tx,
    `delete from flows_service.answer_file where service_id = $1 and run_id = $2 and id like 'gi\\_%'
      and ($3::text[] is null or id = any($3))
    returning object_key as key`,
    [serviceId, id, handles],
  )
  return rows.map(({ key }) => key)
}
