import type { EventId, Instant, ServiceId } from '@sealpost/kernel'
import { type Partition, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { OwnerId } from '../../model.ts'
import type { Misfit, QuarantinedEvent } from '../model.ts'

// The raw row is copied: the reader has only seen a parsed one. The same event met by a second reader changes nothing.
const INSERT = `
insert into feed.quarantined_event (owner_id, no, account_id, owner_kind, event_id, kind, key, connection_id, payload, at,
  reader, reason, quarantined_at)
select e.owner_id, e.no, head.account_id, head.kind, e.id, e.kind, e.key, e.connection_id, e.payload, e.at,
  $4, misfit.reason, to_timestamp($5 / 1000.0)
from unnest($2::bigint[], $3::text[]) as misfit (no, reason)
join feed.event e on e.owner_id = $1 and e.no = misfit.no
join feed.head head on head.owner_id = $1 and head.deleted_at is null
on conflict (owner_id, no) do nothing
returning event_id as id, kind`

/** Answers those that were not kept before. */
export function insertQuarantined(
  tx: Tx,
  ownerId: OwnerId,
  misfits: readonly Misfit[],
  { reader, now }: { readonly reader: string; readonly now: Instant },
): Promise<readonly { readonly id: EventId; readonly kind: string }[]> {
  const values = [ownerId, misfits.map(({ no }) => no), misfits.map(({ reason }) => reason), reader, now]
  return runStatement<{ id: EventId; kind: string }>(tx, INSERT, values)
}

const COLUMNS = `owner_id as "ownerId", account_id as "accountId", owner_kind as "ownerKind", no, event_id as id, kind,
  connection_id as "connectionId", payload, round(extract(epoch from at) * 1000)::float8 as at, reader, reason,
  round(extract(epoch from quarantined_at) * 1000)::float8 as "quarantinedAt"`

/** Of all owners, the newest first. */
export function listQuarantined(read: Read, limit: number): Promise<readonly QuarantinedEvent[]> {
  return runStatement<QuarantinedEvent & Record<string, unknown>>(
    read,
    `select ${COLUMNS} from feed.quarantined_event where ended_at is null order by quarantined_at desc, no desc limit $1`,
    [limit],
  )
}

/** Of these services, the oldest first. */
export function listQuarantinedOf(
  read: Read,
  services: readonly ServiceId[],
  limit: number,
): Promise<readonly { readonly serviceId: ServiceId; readonly id: EventId; readonly since: Instant }[]> {
  return runStatement<{ serviceId: ServiceId; id: EventId; since: Instant }>(
    read,
    `select owner_id as "serviceId", event_id as id, round(extract(epoch from quarantined_at) * 1000)::float8 as since
    from feed.quarantined_event where owner_id = any($1::uuid[]) and ended_at is null order by quarantined_at limit $2`,
    [services, limit],
  )
}

export async function countQuarantined(read: Read): Promise<number> {
  const sql = 'select count(*)::int as count from feed.quarantined_event where ended_at is null'
  const [row] = await runStatement<{ count: number }>(read, sql, [])
  return row?.count ?? 0
}

export async function findQuarantined(read: Read, id: EventId): Promise<QuarantinedEvent | null> {
  const [row] = await runStatement<QuarantinedEvent & Record<string, unknown>>(
    read,
    `select ${COLUMNS} from feed.quarantined_event where event_id = $1 and ended_at is null`,
    [id],
  )
  return row ?? null
}

/** False when it has ended meanwhile. */
export async function lockQuarantined(tx: Tx, id: EventId): Promise<boolean> {
  const sql = 'select from feed.quarantined_event where event_id = $1 and ended_at is null for update'
  return (await runStatement(tx, sql, [id])).length > 0
}

/**
 * The rows stay without their payloads until their retention ends, so that a reader that meets such an event later does
 * not keep it again. Answers how many had not ended before.
 */
export async function endQuarantined(tx: Tx, ids: readonly EventId[], now: Instant): Promise<number> {
  const rows = await runStatement(
    tx,
    `update feed.quarantined_event set ended_at = to_timestamp($2 / 1000.0), payload = '{}'
    where event_id = any($1::uuid[]) and ended_at is null returning 1`,
    [ids, now],
  )
  return rows.length
}

const HAS_LATER = `
select from feed.event later join feed.quarantined_event q on q.owner_id = later.owner_id and q.key = later.key
where q.owner_id = $1 and q.no = $2 and later.owner_id = $1 and later.no > $2 limit 1`

/** Whether a later event of the same key is still stored. */
export async function isReplaced(read: Read, { ownerId, no }: QuarantinedEvent): Promise<boolean> {
  return (await runStatement(read, HAS_LATER, [ownerId, no])).length > 0
}

const APPEND = `
insert into feed.event (owner_id, no, partition, id, kind, key, connection_id, payload, at)
select owner_id, $3, $4, event_id, kind, key, connection_id, payload, to_timestamp($5 / 1000.0)
from feed.quarantined_event where owner_id = $1 and no = $2`

/** Copies the event to the end of its feed, under its id. */
export async function appendQuarantined(
  tx: Tx,
  { ownerId, no }: QuarantinedEvent,
  at: { readonly no: number; readonly partition: Partition; readonly now: Instant },
): Promise<void> {
  await runStatement(tx, APPEND, [ownerId, no, at.no, at.partition, at.now])
}

export async function deleteQuarantinedOf(tx: Tx, ownerId: OwnerId): Promise<void> {
  await runStatement(tx, 'delete from feed.quarantined_event where owner_id = $1', [ownerId])
}

// A reader may have kept an event while its feed was deleted.
const DELETE_OLD = `
delete from feed.quarantined_event where (owner_id, no) in (
  select q.owner_id, q.no from feed.quarantined_event q
  where q.quarantined_at < to_timestamp($1 / 1000.0)
    or exists (select from feed.head head where head.owner_id = q.owner_id and head.deleted_at is not null)
  limit $2 for update of q skip locked)
returning ended_at is null as "isOpen"`

/** Answers how many were deleted, and how many of them no operator has ended. */
export async function deleteOldQuarantined(
  tx: Tx,
  before: Instant,
  limit: number,
): Promise<{ readonly deleted: number; readonly open: number }> {
  const rows = await runStatement<{ isOpen: boolean }>(tx, DELETE_OLD, [before, limit])
  return { deleted: rows.length, open: rows.filter(({ isOpen }) => isOpen).length }
}
