import type { ConnectionId, Instant, RequestFieldId, ServiceId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Attested } from '@sealpost/protocol'
import type { DeletedSlot, PresentSlot, SlotContent, SlotName } from '../model.ts'

export function listPresentSlots(
  tx: Tx,
  serviceId: ServiceId,
  connectionId: ConnectionId,
  fields: readonly RequestFieldId[],
): Promise<readonly PresentSlot[]> {
  return runStatement<PresentSlot & Record<string, unknown>>(
    tx,
    `select request_field_id as "requestFieldId", state, rev, object_key as "objectKey" from connections_service.slot
    where service_id = $1 and connection_id = $2 and request_field_id = any($3::uuid[])`,
    [serviceId, connectionId, fields],
  )
}

/** How many connections have an answer, by request row. Reads all slots of the service. */
export async function countAnswers(read: Read, serviceId: ServiceId): Promise<ReadonlyMap<RequestFieldId, number>> {
  const rows = await runStatement<{ id: RequestFieldId; answers: number }>(
    read,
    `select request_field_id as id, count(*)::float8 as answers from connections_service.slot
    where service_id = $1 and state = 'answered' group by request_field_id`,
    [serviceId],
  )
  return new Map(rows.map(({ id, answers }) => [id, answers]))
}

/** [Note: lost attestations] The JSON null in an answered slot `s` that had an attestation; an SQL null: it never had one. */
const LOST = `case when s.state = 'answered' and s.attested is not null then 'null'::jsonb end`

/** `provided_at` keeps the time of the first answer while the slot is answered. */
export async function putSlot(
  tx: Tx,
  serviceId: ServiceId,
  connectionId: ConnectionId,
  slot: SlotContent,
): Promise<void> {
  const { file } = slot
  await runStatement(
    tx,
    `insert into connections_service.slot as s (service_id, connection_id, request_field_id, state, rev, live, is_private,
      value, object_key, content_sha256, bytes, content_type, form, attested, updated_at, provided_at, expires_at,
      sender_signature)
    values ($1, $2, $3, 'answered', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, to_timestamp($14 / 1000.0),
      to_timestamp($14 / 1000.0), to_timestamp($15 / 1000.0), $16)
    on conflict (service_id, connection_id, request_field_id) do update set state = excluded.state, rev = excluded.rev,
      live = excluded.live, is_private = excluded.is_private, value = excluded.value, object_key = excluded.object_key,
      content_sha256 = excluded.content_sha256, bytes = excluded.bytes, content_type = excluded.content_type,
      form = excluded.form, attested = coalesce(excluded.attested, ${LOST}), updated_at = excluded.updated_at,
      provided_at = case s.state when 'answered' then s.provided_at else excluded.provided_at end,
      expires_at = excluded.expires_at, sender_signature = excluded.sender_signature`,
    [
      serviceId,
      connectionId,
      slot.requestFieldId,
      slot.rev,
      slot.live,
      slot.isPrivate,
      slot.value,
      file?.objectKey ?? null,
      file?.sha256 ?? null,
      file?.bytes ?? null,
      file?.contentType ?? null,
      file?.form ?? null,
      slot.attested,
      slot.at,
      slot.expiresAt,
      slot.senderSignature,
    ],
  )
}

export async function putDeclinedSlot(tx: Tx, name: SlotName, rev: number, at: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_service.slot (service_id, connection_id, request_field_id, state, rev, live, is_private,
      updated_at, provided_at)
    values ($1, $2, $3, 'declined', $4, false, true, to_timestamp($5 / 1000.0), to_timestamp($5 / 1000.0))
    on conflict (service_id, connection_id, request_field_id) do update set state = excluded.state, rev = excluded.rev,
      live = false, is_private = true, value = null, object_key = null, content_sha256 = null, bytes = null,
      content_type = null, form = null, attested = null, updated_at = excluded.updated_at, expires_at = null,
      sender_signature = null`,
    [name.serviceId, name.connectionId, name.requestFieldId, rev, at],
  )
}

export async function attestSlot(
  tx: Tx,
  name: SlotName,
  change: { readonly attested: Attested | null; readonly rev: number; readonly at: Instant },
): Promise<void> {
  await runStatement(
    tx,
    `update connections_service.slot s set attested = coalesce($4::jsonb, ${LOST}), rev = $5, updated_at = to_timestamp($6 / 1000.0)
    where service_id = $1 and connection_id = $2 and request_field_id = $3`,
    [name.serviceId, name.connectionId, name.requestFieldId, change.attested, change.rev, change.at],
  )
}

const DELETED = `connection_id as "connectionId", request_field_id as "requestFieldId", state, object_key as "objectKey"`

/** `fields` null: all slots of these connections. */
export function deleteSlots(
  tx: Tx,
  serviceId: ServiceId,
  connections: readonly ConnectionId[],
  fields: readonly RequestFieldId[] | null,
): Promise<readonly DeletedSlot[]> {
  return runStatement<DeletedSlot & Record<string, unknown>>(
    tx,
    `delete from connections_service.slot where service_id = $1 and connection_id = any($2::uuid[])
      and ($3::uuid[] is null or request_field_id = any($3)) returning ${DELETED}`,
    [serviceId, connections, fields],
  )
}

/** Detaches the objects of expired files; the slots keep the rest. */
export async function releaseExpiredFiles(tx: Tx, now: Instant, limit: number): Promise<readonly ReleasedFile[]> {
  return runStatement<ReleasedFile & Record<string, unknown>>(
    tx,
    `with due as (
      select service_id, connection_id, request_field_id, object_key from connections_service.slot
      where object_key is not null and expires_at <= to_timestamp($1 / 1000.0)
      order by expires_at limit $2 for update skip locked
    )
    update connections_service.slot s set object_key = null from due
    where s.service_id = due.service_id and s.connection_id = due.connection_id
      and s.request_field_id = due.request_field_id
    returning due.connection_id as "connectionId", due.request_field_id as "requestFieldId",
      due.object_key as "objectKey"`,
    [now, limit],
  )
}

type ReleasedFile = Omit<DeletedSlot, 'state'>

/** Across services, in the order of keys, for commands of an operator. */
export async function listSlotObjects(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ object_key: ObjectKey }>(
    read,
    'select object_key from connections_service.slot where object_key > $1 order by object_key limit $2',
    [after, limit],
  )
  return rows.map((row) => row.object_key)
}
