import { formatInstant, type Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Attachment } from '../contracts.ts'
import type { Party } from '../parties.ts'

export interface NewTell {
  readonly target: Party
  readonly key: string
  readonly id: string
  readonly kind: string
  readonly version: number
  readonly body: string
  readonly attachment: Attachment | null
  readonly traceparent: string | null
}

/** A lane as the relay sees it. */
export interface PendingLane {
  readonly key: string
  readonly incarnation: number
  readonly lastSeq: number
  readonly confirmedSeq: number
}

export interface OutboxRow extends Omit<NewTell, 'target'> {
  readonly incarnation: number
  readonly seq: number
  readonly previousId: string | null
}

/** A stretch of one lane to read: at most `room` rows after `afterSeq`. */
export interface LaneStretch {
  readonly key: string
  readonly incarnation: number
  readonly afterSeq: number
  readonly room: number
}

/** What a receiver's cursor means here; null when another transaction holds the lane right now. */
export interface HeardCursor {
  readonly key: string
  readonly incarnation: number
  readonly appliedSeq: number
  readonly appliedId: string | null
}

export interface JudgedCursor {
  readonly key: string
  readonly incarnation: number
  readonly lastSeq: number
  /** Before this cursor was heard. */
  readonly confirmedSeq: number
  readonly appliedSeq: number
  /** Whether the row that we hold under the applied number is the one that was applied; null when it is not kept. */
  readonly isOurs: boolean | null
}

/**
 * [Note: numbering] The lane's row lock is held until the caller commits, so numbers have no gaps and their order is the
 * order of commits: whoever sees row n committed sees every row below it.
 */
const TELL = `
with numbered as (
  insert into bus.lane as lane (target, key, incarnation, last_seq, last_id, pending)
  select $1::text, $2::text, self.incarnation, 1, $3::uuid, true from bus.self
  on conflict (target, key, incarnation) do update
    set last_seq = lane.last_seq + 1, previous_id = lane.last_id, last_id = excluded.last_id, pending = true
  returning incarnation, last_seq, previous_id
)
insert into bus.outbox
  (day, target, key, incarnation, seq, id, previous_id, kind, version, body, attachment, traceparent, told_at)
select ($9::timestamptz at time zone 'UTC')::date,
  $1, $2, incarnation, last_seq, $3, previous_id, $4, $5, $6, $7, $8, $9::timestamptz
from numbered
returning seq`

export async function insertTell(tx: Tx, tell: NewTell, now: Instant): Promise<void> {
  const attachment = tell.attachment === null ? null : JSON.stringify(tell.attachment)
  const written = await runStatement(tx, TELL, [
    tell.target,
    tell.key,
    tell.id,
    tell.kind,
    tell.version,
    tell.body,
    attachment,
    tell.traceparent,
    formatInstant(now),
  ])
  if (written.length === 0)
    throw new Error('this database has not joined the bus yet: await bus.start() before telling')
}

/**
 * Of every key only the lane of its oldest incarnation is due: what was told before a restore goes before what was told
 * after it.
 */
const PENDING = `
select key, incarnation, last_seq, confirmed_seq from (
  select distinct on (key) key, incarnation, last_seq, confirmed_seq, not_before
  from bus.lane where target = $1 and pending and key > $2
  order by key, incarnation
) oldest
where not_before is null or not_before <= $3
limit $4`

export async function readPendingLanes(
  read: Read,
  target: Party,
  afterKey: string,
  now: Instant,
  limit: number,
): Promise<readonly PendingLane[]> {
  const rows = await runStatement<LaneRow>(read, PENDING, [target, afterKey, formatInstant(now), limit])
  return rows.map((row) => ({
    key: row.key,
    incarnation: row.incarnation,
    lastSeq: row.last_seq,
    confirmedSeq: row.confirmed_seq,
  }))
}

const ROWS = `
select row.* from unnest($2::text[], $3::bigint[], $4::bigint[], $5::int[]) as stretch (key, incarnation, after_seq, room)
cross join lateral (
  select o.key, o.incarnation, o.seq, o.id, o.previous_id, o.kind, o.version, o.body, o.attachment, o.traceparent
  from bus.outbox o
  where o.target = $1 and o.key = stretch.key and o.incarnation = stretch.incarnation and o.seq > stretch.after_seq
  order by o.seq limit stretch.room
) row`

export async function readRows(
  read: Read,
  target: Party,
  stretches: readonly LaneStretch[],
): Promise<readonly OutboxRow[]> {
  const rows = await runStatement<OutboxTableRow>(read, ROWS, [
    target,
    stretches.map((stretch) => stretch.key),
    stretches.map((stretch) => stretch.incarnation),
    stretches.map((stretch) => stretch.afterSeq),
    stretches.map((stretch) => stretch.room),
  ])
  return rows.map((row) => ({
    key: row.key,
    incarnation: row.incarnation,
    seq: row.seq,
    id: row.id,
    previousId: row.previous_id,
    kind: row.kind,
    version: row.version,
    body: row.body,
    attachment: row.attachment,
    traceparent: row.traceparent,
  }))
}

/** Lanes that a caller is writing to are skipped: one long transaction must not hold up everybody's confirmations. */
const CONFIRM = `
with judged as (
  select lane.key, lane.incarnation, lane.last_seq, lane.confirmed_seq, heard.applied_seq,
    heard.applied_id is null or (select o.id = heard.applied_id from bus.outbox o
      where o.target = $1 and o.key = lane.key and o.incarnation = lane.incarnation and o.seq = heard.applied_seq
    ) as is_ours
  from unnest($2::text[], $3::bigint[], $4::bigint[], $5::uuid[]) as heard (key, incarnation, applied_seq, applied_id)
  join bus.lane on lane.target = $1 and lane.key = heard.key and lane.incarnation = heard.incarnation
  order by lane.key, lane.incarnation
  for update of lane skip locked
), moved as (
  update bus.lane
  set confirmed_seq = judged.applied_seq, pending = judged.last_seq > judged.applied_seq, not_before = null
  from judged
  where lane.target = $1 and lane.key = judged.key and lane.incarnation = judged.incarnation
    and judged.applied_seq > judged.confirmed_seq and judged.applied_seq <= judged.last_seq and judged.is_ours
)
select * from judged`

export async function confirmLanes(
  tx: Tx,
  target: Party,
  heard: readonly HeardCursor[],
): Promise<readonly JudgedCursor[]> {
  const rows = await runStatement<JudgedRow>(tx, CONFIRM, [
    target,
    heard.map((cursor) => cursor.key),
    heard.map((cursor) => cursor.incarnation),
    heard.map((cursor) => cursor.appliedSeq),
    heard.map((cursor) => cursor.appliedId),
  ])
  return rows.map((row) => ({
    key: row.key,
    incarnation: row.incarnation,
    lastSeq: row.last_seq,
    confirmedSeq: row.confirmed_seq,
    appliedSeq: row.applied_seq,
    isOurs: row.is_ours,
  }))
}

const POSTPONE = `update bus.lane set not_before = $4 where target = $1 and key = $2 and incarnation = $3`

export async function postponeLane(
  tx: Tx,
  target: Party,
  lane: { readonly key: string; readonly incarnation: number },
  until: Instant,
): Promise<void> {
  await runStatement(tx, POSTPONE, [target, lane.key, lane.incarnation, formatInstant(until)])
}

interface LaneRow {
  readonly key: string
  readonly incarnation: number
  readonly last_seq: number
  readonly confirmed_seq: number
}

interface JudgedRow extends LaneRow {
  readonly applied_seq: number
  readonly is_ours: boolean | null
}

interface OutboxTableRow {
  readonly key: string
  readonly incarnation: number
  readonly seq: number
  readonly id: string
  readonly previous_id: string | null
  readonly kind: string
  readonly version: number
  readonly body: string
  readonly attachment: Attachment | null
  readonly traceparent: string | null
}
