import type { Instant, ServiceId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { runStatement, type Tx } from '@sealpost/postgres'
import type { TakenFile } from '../model.ts'

export async function insertTakenFile(tx: Tx, file: TakenFile, at: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_service.taken_file (service_id, object_key, content_sha256, bytes, created_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))`,
    [file.serviceId, file.objectKey, file.sha256, file.bytes, at],
  )
}

export async function lockTakenFiles(
  tx: Tx,
  serviceId: ServiceId,
  keys: readonly string[],
  takenAfter: Instant,
): Promise<readonly TakenFile[]> {
  if (keys.length === 0) return []
  return runStatement<TakenFile & Record<string, unknown>>(
    tx,
    `select service_id as "serviceId", object_key as "objectKey", content_sha256 as sha256, bytes
    from connections_service.taken_file
    where service_id = $1 and object_key = any($2::text[]) and created_at > to_timestamp($3 / 1000.0) for update`,
    [serviceId, keys, takenAfter],
  )
}

/** A connection uses them now: each taken file is used once. */
export async function deleteTakenFiles(tx: Tx, serviceId: ServiceId, keys: readonly ObjectKey[]): Promise<void> {
  if (keys.length === 0) return
  const sql = 'delete from connections_service.taken_file where service_id = $1 and object_key = any($2::text[])'
  await runStatement(tx, sql, [serviceId, keys])
}

/** Their objects were put into the vault's garbage when they were taken. */
export async function deleteOldTakenFiles(tx: Tx, takenBefore: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from connections_service.taken_file where (service_id, object_key) in (
      select service_id, object_key from connections_service.taken_file
      where created_at <= to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning 1`,
    [takenBefore, limit],
  )
  return rows.length
}
