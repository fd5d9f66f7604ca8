import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { RunName, StoredObject } from '../../runs/model.ts'

/** Inputs rest with the answer files of their run until they are used, and go with them after a day. */
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

/** Answers their objects. */
export async function deleteInputs(tx: Tx, { serviceId, id }: RunName): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    tx,
    `delete from flows_service.answer_file where service_id = $1 and run_id = $2 and id like 'gi\\_%'
    returning object_key as key`,
    [serviceId, id],
  )
  return rows.map(({ key }) => key)
}
