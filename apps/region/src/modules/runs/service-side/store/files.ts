import type { Instant, ServiceId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { FileHandle } from '../../model.ts'
import type { AnswerFile, RunName, RunSource, SourceFile } from '../model.ts'

const FILE = `service_id as "serviceId", id, run_id as "runId", slug, for_user_id as "forUserId",
  object_key as "objectKey", content_sha256 as sha256, bytes::float8 as bytes, is_used as "isUsed",
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt"`

export async function insertAnswerFile(tx: Tx, file: AnswerFile): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_service.answer_file (service_id, id, run_id, slug, for_user_id, object_key, content_sha256, bytes,
      created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9 / 1000.0))`,
    [
      file.serviceId,
      file.id,
      file.runId,
      file.slug,
      file.forUserId,
      file.objectKey,
      file.sha256,
      file.bytes,
      file.createdAt,
    ],
  )
}

export function listAnswerFiles(read: Read, { serviceId, id }: RunName): Promise<readonly AnswerFile[]> {
  return runStatement<AnswerFile & Record<string, unknown>>(
    read,
    `select ${FILE} from flows_service.answer_file where service_id = $1 and run_id = $2`,
    [serviceId, id],
  )
}

export async function markFileUsed(tx: Tx, serviceId: ServiceId, id: FileHandle): Promise<void> {
  const sql = 'update flows_service.answer_file set is_used = true where service_id = $1 and id = $2'
  await runStatement(tx, sql, [serviceId, id])
}

export async function deleteAnswerFile(tx: Tx, serviceId: ServiceId, id: FileHandle): Promise<void> {
  await runStatement(tx, 'delete from flows_service.answer_file where service_id = $1 and id = $2', [serviceId, id])
}

export async function deleteFilesOf(tx: Tx, { serviceId, id }: RunName): Promise<readonly ObjectKey[]> {
  const sql = 'delete from flows_service.answer_file where service_id = $1 and run_id = $2 returning object_key as key'
  const rows = await runStatement<{ key: ObjectKey }>(tx, sql, [serviceId, id])
  return rows.map(({ key }) => key)
}

/** Uploads of all services that no answer named; answers their objects. */
export async function deleteUnusedFiles(tx: Tx, before: Instant, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    tx,
    `delete from flows_service.answer_file where (service_id, id) in (
      select service_id, id from flows_service.answer_file
      where not is_used and created_at <= to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning object_key as key`,
    [before, limit],
  )
  return rows.map(({ key }) => key)
}

/** In their order, for the comparison with the object store. */
export async function listRunObjects(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const sql = 'select object_key as key from flows_service.answer_file where object_key > $1 order by 1 limit $2'
  const rows = await runStatement<{ key: ObjectKey }>(read, sql, [after, limit])
  return rows.map(({ key }) => key)
}

const SOURCE = `service_id as "serviceId", id, flow_id as "flowId", source_user_id as "sourceUserId",
  connection_id as "connectionId", region, round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
  run_id as "runId", source_key as "sourceKey", for_user_id as "forUserId"`

export async function insertSource(tx: Tx, source: SourceFile): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_service.source_file (service_id, id, flow_id, source_user_id, connection_id, region, created_at)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))`,
    [
      source.serviceId,
      source.id,
      source.flowId,
      source.sourceUserId,
      source.connectionId,
      source.region,
      source.createdAt,
    ],
  )
}

/** Those among these that no run uses; FOR UPDATE. */
export async function lockStaged(tx: Tx, serviceId: ServiceId, ids: readonly string[]): Promise<readonly SourceFile[]> {
  if (ids.length === 0) return []
  return runStatement<SourceFile & Record<string, unknown>>(
    tx,
    `select ${SOURCE} from flows_service.source_file
    where service_id = $1 and id = any($2::text[]) and run_id is null order by id for update`,
    [serviceId, ids],
  )
}

export async function useSource(tx: Tx, source: RunSource): Promise<void> {
  await runStatement(
    tx,
    `update flows_service.source_file set run_id = $3, source_key = $4, for_user_id = $5
    where service_id = $1 and id = $2`,
    [source.serviceId, source.id, source.runId, source.sourceKey, source.forUserId],
  )
}

export function listSources(read: Read, { serviceId, id }: RunName): Promise<readonly RunSource[]> {
  return runStatement<RunSource & Record<string, unknown>>(
    read,
    `select ${SOURCE} from flows_service.source_file where service_id = $1 and run_id = $2 order by source_key`,
    [serviceId, id],
  )
}

export async function deleteSources(tx: Tx, { serviceId, id }: RunName): Promise<void> {
  const sql = 'delete from flows_service.source_file where service_id = $1 and run_id = $2'
  await runStatement(tx, sql, [serviceId, id])
}

/** Staged copies of all services that no run used; their bytes go in the regions that hold them. */
export async function deleteUnusedSources(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from flows_service.source_file where (service_id, id) in (
      select service_id, id from flows_service.source_file
      where run_id is null and created_at <= to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning id`,
    [before, limit],
  )
  return rows.length
}
