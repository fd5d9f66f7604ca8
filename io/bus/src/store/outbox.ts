import { formatInstant, type Instant } from '@sealpost/kernel'
import { columns, partitionOf, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Attachment } from '../contracts.ts'
import type { Party } from '../parties.ts'
import { OUTBOX_PARTITIONS } from '../partitions.ts'

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
  /** The receiver could not apply the next row when it was sent last. */
  readonly hasFailed: boolean
}

export interface OutboxRow extends Omit<NewTell, 'target'> {
  readonly incarnation: number
  readonly seq: number
  readonly previousId: string | null
}

/** A range of one lane to read: at most `room` rows after `afterSeq`. */
export interface LaneStretch {
  readonly key: string
  readonly incarnation: number
  readonly afterSeq: number
  readonly room: number
}

/** A receiver's cursor compared with our lane; null when another transaction has locked the lane. */
export interface HeardCursor {
  readonly key: string
  readonly incarnation: number
  readonly appliedSeq: number
  readonly appliedId: string | null
}

export interface ComparedCursor {
  readonly key: string
  readonly incarnation: number
  readonly lastSeq: number
  /** Before this notice. */
  readonly confirmedSeq: number
  readonly appliedSeq: number
  /** Whether our row under the applied number is the one that was applied; null when it is not kept. */
  readonly isOurs: boolean | null
}

/**
 * The lane's row lock is held until the caller commits, so numbers have no gaps and their order is the order of
 * commits: a reader that sees row n sees every row below it. `given` has the columns target, key, id, body and
 * attachment, and each lane once.
 */
const tellSql = (given: string): string => `
with given as (${given}), numbered as (
  insert into bus.lane as lane (target, key, incarnation, last_seq, last_id, pending)
  select given.target, given.key, self.incarnation, 1, given.id, true from bus.self cross join given
  order by given.target, given.key
  on conflict (target, key, incarnation) do update
    set last_seq = lane.last_seq + 1, previous_id = lane.last_id, last_id = excluded.last_id, pending = true
  returning target, key, incarnation, last_seq, previous_id
)
insert into bus.outbox
  (partition, day, target, key, incarnation, seq, id, previous_id, kind, version, body, attachment, traceparent, told_at)
select $5, ($4::timestamptz at time zone 'UTC')::date,
  target, key, incarnation, last_seq, id, previous_id, $1, $2, body, attachment, $3, $4::timestamptz
from numbered join given using (target, key)
returning seq`
const TELL_ONE = tellSql(
  'select $6::text as target, $7::text as key, $8::uuid as id, $9::text as body, $10::jsonb as attachment',
)
const TELL_MANY = tellSql(`select *, null::jsonb as attachment
  from unnest($6::text[], $7::text[], $8::uuid[], $9::text[]) as t (target, key, id, body)`)

/** What tells of one call have in common. */
export type TellSort = Pick<NewTell, 'kind' | 'version' | 'traceparent'>

export async function insertTell(tx: Tx, tell: NewTell, now: Instant): Promise<void> {
  const { target, key, id, body } = tell
  const attachment = tell.attachment === null ? null : JSON.stringify(tell.attachment)
  await insert(tx, TELL_ONE, tell, now, [target, key, id, body, attachment])
}

/** In one statement; each of another lane. */
export async function insertTells(
  tx: Tx,
  sort: TellSort,
  tells: readonly Pick<NewTell, 'target' | 'key' | 'id' | 'body'>[],
  now: Instant,
): Promise<void> {
  await insert(tx, TELL_MANY, sort, now, [
    tells.map(({ target }) => target),
    tells.map(({ key }) => key),
    tells.map(({ id }) => id),
    tells.map(({ body }) => body),
  ])
}

async function insert(
  tx: Tx,
  sql: string,
  { kind, version, traceparent }: TellSort,
  now: Instant,
  given: readonly unknown[],
): Promise<void> {
  const partition = partitionOf(now, OUTBOX_PARTITIONS)
  const written = await runStatement(tx, sql, [kind, version, traceparent, formatInstant(now), partition, ...given])
  if (written.length === 0)
    throw new Error('this database has not joined the bus yet: await bus.start() before telling')
}

/** Only the lane of a key's oldest incarnation is due: tells from before a restore are sent before those after it. */
const PENDING = `
select key, incarnation, last_seq as "lastSeq", confirmed_seq as "confirmedSeq", not_before is not null as "hasFailed" from (
  select distinct on (key) key, incarnation, last_seq, confirmed_seq, not_before
  from bus.lane where target = $1 and pending and key > $2
  order by key, incarnation
) oldest
where not_before is null or not_before <= $3
limit $4`
const PENDING_COLUMNS = columns<PendingLane>({
  key: 'text',
  incarnation: 'integer',
  lastSeq: 'integer',
  confirmedSeq: 'integer',
  hasFailed: 'boolean',
})

export async function readPendingLanes(
  read: Read,
  target: Party,
  afterKey: string,
  now: Instant,
  limit: number,
): Promise<readonly PendingLane[]> {
  return runStatement(read, PENDING, [target, afterKey, formatInstant(now), limit], PENDING_COLUMNS)
}

const ROWS = `
select row.* from unnest($2::text[], $3::bigint[], $4::bigint[], $5::int[]) as stretch (key, incarnation, after_seq, room)
cross join lateral (
  select o.key, o.incarnation, o.seq, o.id, o.previous_id as "previousId", o.kind, o.version, o.body, o.attachment, o.traceparent
  from bus.outbox o
  where o.target = $1 and o.key = stretch.key and o.incarnation = stretch.incarnation and o.seq > stretch.after_seq
  order by o.seq limit stretch.room
) row`
const ROW_COLUMNS = columns<OutboxRow>({
  key: 'text',
  incarnation: 'integer',
  seq: 'integer',
  id: 'uuid',
  previousId: 'uuid?',
  kind: 'text',
  version: 'integer',
  body: 'text',
  attachment: 'json?',
  traceparent: 'text?',
})

export async function readRows(
  read: Read,
  target: Party,
  stretches: readonly LaneStretch[],
): Promise<readonly OutboxRow[]> {
  const values = [
    target,
    stretches.map((stretch) => stretch.key),
    stretches.map((stretch) => stretch.incarnation),
    stretches.map((stretch) => stretch.afterSeq),
    stretches.map((stretch) => stretch.room),
  ]
  return runStatement(read, ROWS, values, ROW_COLUMNS)
}

/** Lanes locked by a caller's transaction are skipped: one long transaction must not delay all other confirmations. */
const CONFIRM = `
with compared as (
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
  set confirmed_seq = compared.applied_seq, pending = compared.last_seq > compared.applied_seq, not_before = null
  from compared
  where lane.target = $1 and lane.key = compared.key and lane.incarnation = compared.incarnation
    and compared.applied_seq > compared.confirmed_seq and compared.applied_seq <= compared.last_seq and compared.is_ours
)
select key, incarnation, last_seq as "lastSeq", confirmed_seq as "confirmedSeq", applied_seq as "appliedSeq",
  is_ours as "isOurs"
from compared`
const CONFIRM_COLUMNS = columns<ComparedCursor>({
  key: 'text',
  incarnation: 'integer',
  lastSeq: 'integer',
  confirmedSeq: 'integer',
  appliedSeq: 'integer',
  isOurs: 'boolean?',
})

export async function confirmLanes(
  tx: Tx,
  target: Party,
  heard: readonly HeardCursor[],
): Promise<readonly ComparedCursor[]> {
  const values = [
    target,
    heard.map((cursor) => cursor.key),
    heard.map((cursor) => cursor.incarnation),
    heard.map((cursor) => cursor.appliedSeq),
    heard.map((cursor) => cursor.appliedId),
  ]
  return runStatement(tx, CONFIRM, values, CONFIRM_COLUMNS)
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
