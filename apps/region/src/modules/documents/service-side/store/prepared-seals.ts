import type { Instant, ServiceId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import type { PreparedSeal, SealId } from '../model.ts'

export async function insertPreparedSeal(tx: Tx, seal: PreparedSeal): Promise<void> {
  await runStatement(
    tx,
    `insert into documents_service.prepared_seal (service_id, id, document_id, object_key, object_sha256, bytes,
      content_sha256, plain_sha256, content_rev, acts, act_sha256, sealed_at, copies)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12 / 1000.0), $13)`,
    [
      seal.serviceId,
      seal.id,
      seal.documentId,
      seal.objectKey,
      seal.sha256,
      seal.bytes,
      seal.contentSha256,
      seal.plainSha256,
      seal.contentRev,
      seal.acts,
      seal.actSha256,
      seal.sealedAt,
      JSON.stringify(seal.copies),
    ],
  )
}

/** A seal is used once. */
export async function takePreparedSeal(tx: Tx, serviceId: ServiceId, id: SealId): Promise<PreparedSeal | null> {
  const [row] = await runStatement<PreparedSeal & Record<string, unknown>>(
    tx,
    `delete from documents_service.prepared_seal where service_id = $1 and id = $2
    returning service_id as "serviceId", id, document_id as "documentId", object_key as "objectKey",
      object_sha256 as sha256, bytes::float8 as bytes, content_sha256 as "contentSha256",
      plain_sha256 as "plainSha256", content_rev::float8 as "contentRev", acts, act_sha256 as "actSha256", copies,
      round(extract(epoch from sealed_at) * 1000)::float8 as "sealedAt"`,
    [serviceId, id],
  )
  return row ?? null
}

/** Their objects are garbage already. */
export async function deleteOldSeals(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from documents_service.prepared_seal where (service_id, id) in (
      select service_id, id from documents_service.prepared_seal where sealed_at <= to_timestamp($1 / 1000.0)
      limit $2 for update skip locked)
    returning 1`,
    [before, limit],
  )
  return rows.length
}
