import type { ConnectionId, Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { DocumentFilter, DocumentId, DocumentName, StoredDocument } from '../model.ts'
import { type DocumentRow, readRow } from './document-row.ts'

export const DOCUMENT = `service_id as "serviceId", id, company_id as "companyId", recipient, connection_id as "connectionId",
  customer_id as "customerId", customer_region as "customerRegion", share_code as "shareCode", name, description, kind,
  payload_kind as "payloadKind", is_private as "isPrivate", requires_signature as "requiresSignature",
  requires_acceptance as "requiresAcceptance", status, metadata, cancel_effective_date::text as "cancelEffectiveDate",
  cancel_set_by as "cancelSetBy", customer_cancel_date::text as "customerCancelDate",
  is_pending as "isPending", value, content_sha256 as "contentSha256", plain_sha256 as "plainSha256",
  round(extract(epoch from sealed_at) * 1000)::float8 as "sealedAt", raw_file as "rawFile", answer_file as "answerFile",
  run_id as "runId", output_key as "outputKey", party_key as "partyKey", position, rev::float8 as rev, content_rev::float8 as "contentRev",
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
  round(extract(epoch from updated_at) * 1000)::float8 as "updatedAt"`

export async function insertDocument(tx: Tx, document: StoredDocument): Promise<void> {
  const { customer } = document
  await runStatement(
    tx,
    `insert into documents_service.document (service_id, id, company_id, recipient, connection_id, customer_id,
      customer_region, share_code, kind, payload_kind, is_private, requires_signature, requires_acceptance, run_id,
      output_key, created_at, name, description, status, metadata, cancel_effective_date, is_pending, value,
      content_sha256, plain_sha256, sealed_at, raw_file, answer_file, rev, content_rev, updated_at, cancel_set_by,
      customer_cancel_date, party_key, position)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, to_timestamp($16 / 1000.0), $17, $18, $19,
      $20, $21, $22, $23, $24, $25, to_timestamp($26::float8 / 1000.0), $27, $28, $29, $30, to_timestamp($31 / 1000.0),
      $32, $33, $34, $35)`,
    [
      document.serviceId,
      document.id,
      document.companyId,
      document.recipient,
      customer?.connectionId ?? null,
      customer?.customerId ?? null,
      customer?.customerRegion ?? null,
      customer?.shareCode ?? null,
      document.kind,
      document.payloadKind,
      document.isPrivate,
      document.requiresSignature,
      document.requiresAcceptance,
      document.runId,
      document.outputKey,
      document.createdAt,
      ...changingValues(document),
      document.partyKey,
      document.position,
    ],
  )
}

/** Every member that can change. Requires the lock of the row. */
export async function updateDocument(tx: Tx, document: StoredDocument): Promise<void> {
  await runStatement(
    tx,
    `update documents_service.document set name = $3, description = $4, status = $5, metadata = $6,
      cancel_effective_date = $7, is_pending = $8, value = $9, content_sha256 = $10, plain_sha256 = $11,
      sealed_at = to_timestamp($12::float8 / 1000.0), raw_file = $13, answer_file = $14, rev = $15, content_rev = $16,
      updated_at = to_timestamp($17 / 1000.0), cancel_set_by = $18, customer_cancel_date = $19
    where service_id = $1 and id = $2`,
    [document.serviceId, document.id, ...changingValues(document)],
  )
}

function changingValues(document: StoredDocument): readonly unknown[] {
  return [
    document.name,
    document.description,
    document.status,
    JSON.stringify(document.metadata),
    document.cancelEffectiveDate,
    document.isPending,
    document.value,
    document.contentSha256,
    document.plainSha256,
    document.sealedAt,
    jsonOf(document.rawFile),
    jsonOf(document.answerFile),
    document.rev,
    document.contentRev,
    document.updatedAt,
    document.cancelSetBy,
    document.customerCancelDate,
  ]
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** Null for an unknown document and for another service's. */
export async function findDocument(read: Read, { serviceId, id }: DocumentName): Promise<StoredDocument | null> {
  const sql = `select ${DOCUMENT} from documents_service.document where service_id = $1 and id = $2`
  const [row] = await runStatement<DocumentRow>(read, sql, [serviceId, id])
  return row === undefined ? null : readRow(row)
}

/** FOR UPDATE. For a document of a customer, lock the connection first. */
export async function lockDocument(tx: Tx, { serviceId, id }: DocumentName): Promise<StoredDocument | null> {
  const sql = `select ${DOCUMENT} from documents_service.document where service_id = $1 and id = $2 for update`
  const [row] = await runStatement<DocumentRow>(tx, sql, [serviceId, id])
  return row === undefined ? null : readRow(row)
}

/** In the order of ids. */
export async function listDocumentRows(
  read: Read,
  serviceId: ServiceId,
  { customerId, connectionId, status, kind }: DocumentFilter,
  { after, offset, limit }: Slice<DocumentId>,
): Promise<readonly StoredDocument[]> {
  const rows = await runStatement<DocumentRow>(
    read,
    `select ${DOCUMENT} from documents_service.document
    where service_id = $1 and ($2::uuid is null or customer_id = $2) and ($3::uuid is null or connection_id = $3)
      and ($4::text is null or status = $4) and ($5::text is null or kind = $5) and ($6::uuid is null or id > $6)
    order by id offset $7 limit $8`,
    [serviceId, customerId, connectionId, status, kind, after, offset, limit],
  )
  return rows.map(readRow)
}

/** Broadcasts that customers see, for a region with its first customer. */
export async function listShownBroadcasts(tx: Tx, serviceId: ServiceId): Promise<readonly StoredDocument[]> {
  const rows = await runStatement<DocumentRow>(
    tx,
    `select ${DOCUMENT} from documents_service.document
    where service_id = $1 and recipient = 'broadcast' and not is_pending and status = 'active' order by id`,
    [serviceId],
  )
  return rows.map(readRow)
}

/** Standalone documents of a connection that wait for its customer. Copies of a run end with their run. */
export async function lockOpenDocuments(
  tx: Tx,
  serviceId: ServiceId,
  connectionId: ConnectionId,
): Promise<readonly StoredDocument[]> {
  const rows = await runStatement<DocumentRow>(
    tx,
    `select ${DOCUMENT} from documents_service.document where service_id = $1 and connection_id = $2
      and run_id is null and status in ('offering', 'ready_to_sign') order by id for update`,
    [serviceId, connectionId],
  )
  return rows.map(readRow)
}

/** The account of the customer is deleted. */
export async function forgetShareCode(tx: Tx, serviceId: ServiceId, connectionId: ConnectionId): Promise<void> {
  const sql = 'update documents_service.document set share_code = null where service_id = $1 and connection_id = $2'
  await runStatement(tx, sql, [serviceId, connectionId])
}

export async function deleteDocumentRow(tx: Tx, { serviceId, id }: DocumentName): Promise<void> {
  await runStatement(tx, 'delete from documents_service.document where service_id = $1 and id = $2', [serviceId, id])
}

/** Documents whose cancellation takes effect, of all services; the caller locks each in its own transaction. */
export function listDue(read: Read, today: string, limit: number): Promise<readonly DocumentName[]> {
  return runStatement<DocumentName & Record<string, unknown>>(
    read,
    `select service_id as "serviceId", id from documents_service.document
    where status = 'active_but_ending' and cancel_effective_date <= $1 order by cancel_effective_date limit $2`,
    [today, limit],
  )
}

/** Documents whose file never came, of all services. */
export function listUnfinished(read: Read, before: Instant, limit: number): Promise<readonly DocumentName[]> {
  return runStatement<DocumentName & Record<string, unknown>>(
    read,
    `select service_id as "serviceId", id from documents_service.document
    where is_pending and created_at <= to_timestamp($1 / 1000.0) order by created_at limit $2`,
    [before, limit],
  )
}

/** The next documents of a service, in the order of ids, with the acts that were recorded on each. */
export async function listForDeletion(
  tx: Tx,
  serviceId: ServiceId,
  after: DocumentId | null,
  limit: number,
): Promise<readonly (DocumentName & { readonly isEvidence: boolean })[]> {
  return runStatement<DocumentName & { readonly isEvidence: boolean } & Record<string, unknown>>(
    tx,
    `select d.service_id as "serviceId", d.id, (d.run_id is not null and not d.is_pending) or exists (
        select 1 from documents_service.signature s where s.service_id = $1 and s.document_id = d.id) as "isEvidence"
    from documents_service.document d where d.service_id = $1 and ($2::uuid is null or d.id > $2) order by d.id limit $3`,
    [serviceId, after, limit],
  )
}

/** Answers the deleted rows. */
export async function deleteDocumentRows(
  tx: Tx,
  serviceId: ServiceId,
  ids: readonly DocumentId[],
): Promise<readonly StoredDocument[]> {
  const rows = await runStatement<DocumentRow>(
    tx,
    `delete from documents_service.document where service_id = $1 and id = any($2::uuid[]) returning ${DOCUMENT}`,
    [serviceId, ids],
  )
  return rows.map(readRow)
}

export async function hasDocuments(read: Read, serviceId: ServiceId): Promise<boolean> {
  const sql = 'select 1 from documents_service.document where service_id = $1 limit 1'
  return (await runStatement(read, sql, [serviceId])).length > 0
}
