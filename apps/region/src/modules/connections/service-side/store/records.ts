import { type ConnectionId, instant, type RequestFieldId, type ServiceId } from '@sealpost/kernel'
import { type Read, runStatement } from '@sealpost/postgres'
import type { Attested } from '@sealpost/protocol'
import type { Slice } from '../../../../platform/page.ts'
import type { ConnectionSummary, FileRow, RecordName, RecordRow, RecordSlot, SlotRow } from '../model.ts'
import { FIRST } from './connections.ts'

// A read of connections is one prepared statement: the connections with their slots, the total, and the revision of the
// request rows, which each process caches. The slots of a connection come as one text, because the work of the driver
// grows with the number of rows and columns. A subquery per connection finds them by primary key; the planner
// cannot choose another plan because of the unknown limit.

// [Note: packed slots] The unit separator ends a member, the record separator a slot. Neither can occur in a member: a
// value is a wrapper, JSON escapes them, and all others are ids, numbers and keywords.
const UNIT = '\u001f'
const RECORD = '\u001e'
const SLOTS = `(select string_agg(concat_ws(e'\\x1f', request_field_id, state, live, is_private, coalesce(value, ''),
    coalesce(content_sha256, ''), coalesce(attested::text, ''), extract(epoch from updated_at) * 1000,
    extract(epoch from provided_at) * 1000, coalesce(extract(epoch from expires_at) * 1000, 0),
    coalesce(sender_signature, '')), e'\\x1e')
  from connections_service.slot where service_id = c.service_id and connection_id = c.id)`
// All rows of a service have the same revision: one statement raises it for all.
const REVISION = `(select rev from connections_service.customer_region where service_id = $1 limit 1) as rev`
const CONNECTION = `c.id, c.customer_id as "customerId", c.customer_type as "customerType", c.share_code as "shareCode",
  c.display_name as "displayName", (extract(epoch from c.connected_at) * 1000)::float8 as "connectedAt",
  exists (select 1 from connections_service.flow_value v where v.service_id = c.service_id and v.connection_id = c.id)
    as "hasFlowValues"`

export interface TotalRow {
  readonly total: number
  /** False for a connection whose slots were not read. */
  readonly fits: boolean
}

/**
 * In the order of their ids, until their values have `maxBytes`: later connections come without slots and with `fits`
 * false. The first one always fits. The length of a stored value or signature is known without reading it; the other
 * members of a slot have about 300 bytes.
 */
export function listRecordRows(
  read: Read,
  serviceId: ServiceId,
  { after, offset, limit }: Slice<ConnectionId>,
  maxBytes: number,
): Promise<readonly (RecordRow & TotalRow)[]> {
  return runStatement<RecordRow & TotalRow & Record<string, unknown>>(
    read,
    `with listed as (
      select service_id, id, customer_id, customer_type, share_code, display_name, connected_at,
        (select coalesce(sum(300 + coalesce(octet_length(value), 0) + coalesce(octet_length(sender_signature), 0)), 0)
        from connections_service.slot s where s.service_id = $1 and s.connection_id = connection.id) as bytes
      from connections_service.connection where service_id = $1 and id > $2 order by id offset $3 limit $4),
    sized as (select *, sum(bytes) over (order by id) - bytes < $5 as fits from listed)
    select ${REVISION}, (select sum(customers)::float8 from connections_service.customer_region
      where service_id = $1) as total, ${CONNECTION}, fits, case when fits then ${SLOTS} end as slots
    from sized c order by id`,
    [serviceId, after ?? FIRST, offset, limit, maxBytes],
  )
}

/** In the order of `names`; null for an unknown connection and for one of another service. See [Note: batches]. */
export async function findRecordRows(read: Read, names: readonly RecordName[]): Promise<readonly (RecordRow | null)[]> {
  const rows = await runStatement<RecordRow & { readonly at: number } & Record<string, unknown>>(
    read,
    `select (wanted.at)::int4 as at, (select rev from connections_service.customer_region r where r.service_id = c.service_id
      limit 1) as rev, ${CONNECTION}, ${SLOTS} as slots
    from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (service_id, id, at)
    join connections_service.connection c on c.service_id = wanted.service_id and c.id = wanted.id`,
    [names.map(({ serviceId }) => serviceId), names.map(({ id }) => id)],
  )
  const found: (RecordRow | null)[] = names.map(() => null)
  for (const row of rows) found[row.at - 1] = row
  return found
}

/** See [Note: packed slots]. */
export function readSlots(text: string | null): readonly RecordSlot[] {
  return text === null ? [] : text.split(RECORD).map(readSlot)
}

function readSlot(text: string): RecordSlot {
  const [field = '', state, live, isPrivate, value, sha256, attested = '', updatedAt, providedAt, ...more] =
    text.split(UNIT)
  const [expiresAt, signature = ''] = more
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the column holds request field ids
    field: field as RequestFieldId,
    isAnswered: state === 'answered',
    live: live === 't',
    isPrivate: isPrivate === 't',
    value: value === '' ? null : (value ?? null),
    sha256: sha256 === '' ? null : (sha256 ?? null),
    senderSignature: signature === '' ? null : signature,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated before it was stored
    attested: attested === '' ? null : (JSON.parse(attested) as Attested | null),
    updatedAt: instant(Number(updatedAt)),
    providedAt: instant(Number(providedAt)),
    expiresAt: Number(expiresAt) === 0 ? null : instant(Number(expiresAt)),
  }
}

/** Answered ones only; see [Note: packed slots]. */
export async function listSlotRows(
  read: Read,
  serviceId: ServiceId,
  connections: readonly ConnectionId[],
  fields: readonly RequestFieldId[],
): Promise<readonly SlotRow[]> {
  const rows = await runStatement<{ connectionId: ConnectionId; packed: string }>(
    read,
    `select connection_id as "connectionId", string_agg(concat_ws(e'\\x1f', request_field_id, live, coalesce(value, ''),
      coalesce(attested::text, ''), coalesce(sender_signature, '')), e'\\x1e') as packed
    from connections_service.slot where service_id = $1 and connection_id = any($2::uuid[])
      and request_field_id = any($3::uuid[]) and state = 'answered' group by connection_id`,
    [serviceId, connections, fields],
  )
  return rows.flatMap(({ connectionId, packed }) => packed.split(RECORD).map((text) => readSlotRow(connectionId, text)))
}

function readSlotRow(connectionId: ConnectionId, text: string): SlotRow {
  const [field = '', live, value = '', attested = '', signature = ''] = text.split(UNIT)
  return {
    connectionId,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the column holds request field ids
    field: field as RequestFieldId,
    live: live === 't',
    value: value === '' ? null : value,
    senderSignature: signature === '' ? null : signature,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated before it was stored
    attested: attested === '' ? null : (JSON.parse(attested) as Attested | null),
    // See [Note: lost attestations].
    wasAttested: attested !== '',
  }
}

export async function findFileRow(
  read: Read,
  serviceId: ServiceId,
  connectionId: ConnectionId,
  field: RequestFieldId,
): Promise<FileRow | null> {
  const [row] = await runStatement<FileRow & Record<string, unknown>>(
    read,
    `select ${REVISION}, object_key as "objectKey", content_sha256 as sha256, bytes, content_type as "contentType", form,
      (extract(epoch from expires_at) * 1000)::float8 as "expiresAt"
    from connections_service.slot
    where service_id = $1 and connection_id = $2 and request_field_id = $3 and content_sha256 is not null`,
    [serviceId, connectionId, field],
  )
  return row ?? null
}

export function listSummaryRows(
  read: Read,
  serviceId: ServiceId,
  { after, offset, limit }: Slice<ConnectionId>,
): Promise<readonly ConnectionSummary[]> {
  return runStatement<ConnectionSummary & Record<string, unknown>>(
    read,
    `select id, customer_id as "customerId", customer_type as "customerType", share_code as "shareCode",
      display_name as "displayName", public_key as "publicKey"
    from connections_service.connection where service_id = $1 and id > $2 order by id offset $3 limit $4`,
    [serviceId, after ?? FIRST, offset, limit],
  )
}
