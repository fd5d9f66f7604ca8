import { formatInstant, type Instant } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Loss } from '../contracts.ts'
import type { Party } from '../parties.ts'
import type { InboxCursor } from './inbox.ts'
import type { LanePosition } from './sessions.ts'

/** One of our lanes beside the peer's cursor for it. */
export interface ComparedLane {
  readonly key: string
  readonly incarnation: number
  /** Null when we know of no such lane. */
  readonly lastSeq: number | null
  readonly confirmedSeq: number
  readonly appliedSeq: number
  /** Whether our row under the applied number is the one that was applied; null when we no longer keep it. */
  readonly isOurs: boolean | null
  /** The first row above the applied number that is still kept. */
  readonly firstKeptSeq: number | null
}

const POSITIONS = `
select key, incarnation from bus.lane where target = $1 and (key, incarnation) > ($2, $3)
order by key, incarnation limit $4`
const POSITION_COLUMNS = columns<LanePosition>({ key: 'text', incarnation: 'integer' })

export async function readLanePositions(
  read: Read,
  target: Party,
  after: LanePosition,
  limit: number,
): Promise<readonly LanePosition[]> {
  return runStatement(read, POSITIONS, [target, after.key, after.incarnation, limit], POSITION_COLUMNS)
}

const COMPARE = `
with lanes as (
  select key, incarnation, last_seq, confirmed_seq from bus.lane
  where target = $1 and (key, incarnation) > ($2, $3) and ($4::text is null or (key, incarnation) <= ($4, $5::bigint))
), cursors as (
  select * from unnest($6::text[], $7::bigint[], $8::bigint[], $9::uuid[]) as c (key, incarnation, applied_seq, applied_id)
)
select key, incarnation, lanes.last_seq as "lastSeq", coalesce(lanes.confirmed_seq, 0) as "confirmedSeq",
  coalesce(cursors.applied_seq, 0) as "appliedSeq",
  cursors.applied_id is null or (select o.id = cursors.applied_id from bus.outbox o
    where o.target = $1 and o.key = lanes.key and o.incarnation = lanes.incarnation and o.seq = cursors.applied_seq
  ) as "isOurs",
  (select min(o.seq) from bus.outbox o
    where o.target = $1 and o.key = lanes.key and o.incarnation = lanes.incarnation
      and o.seq > coalesce(cursors.applied_seq, 0)) as "firstKeptSeq"
from lanes full join cursors using (key, incarnation)
order by key, incarnation`
const COMPARED_COLUMNS = columns<ComparedLane>({
  key: 'text',
  incarnation: 'integer',
  lastSeq: 'integer?',
  confirmedSeq: 'integer',
  appliedSeq: 'integer',
  isOurs: 'boolean?',
  firstKeptSeq: 'integer?',
})

/** Our lanes in (after, upTo] beside the cursors given for the same range; `upTo` null means to the end. */
export async function compareLanes(
  read: Read,
  target: Party,
  stretch: { readonly after: LanePosition; readonly upTo: LanePosition | null },
  cursors: readonly InboxCursor[],
): Promise<readonly ComparedLane[]> {
  const { after, upTo } = stretch
  const values = [
    target,
    after.key,
    after.incarnation,
    upTo?.key ?? null,
    upTo?.incarnation ?? null,
    cursors.map((cursor) => cursor.key),
    cursors.map((cursor) => cursor.incarnation),
    cursors.map((cursor) => cursor.appliedSeq),
    cursors.map((cursor) => cursor.appliedId),
  ]
  return runStatement(read, COMPARE, values, COMPARED_COLUMNS)
}

const SET_CONFIRMED = `
update bus.lane set confirmed_seq = moved.seq, pending = last_seq > moved.seq, not_before = null
from unnest($2::text[], $3::bigint[], $4::bigint[]) as moved (key, incarnation, seq)
where lane.target = $1 and lane.key = moved.key and lane.incarnation = moved.incarnation`

/** Forwards or backwards: the peer's cursor is the truth. */
export async function setConfirmed(
  tx: Tx,
  target: Party,
  moved: readonly { readonly key: string; readonly incarnation: number; readonly seq: number }[],
): Promise<void> {
  await runStatement(tx, SET_CONFIRMED, [
    target,
    moved.map((lane) => lane.key),
    moved.map((lane) => lane.incarnation),
    moved.map((lane) => lane.seq),
  ])
}

const LOSS = `
insert into bus.loss (peer, key, incarnation, from_seq, to_seq, what, found_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict do nothing`

export async function insertLoss(tx: Tx, loss: Loss, now: Instant): Promise<void> {
  const { peer, key, incarnation, fromSeq, toSeq, what } = loss
  await runStatement(tx, LOSS, [peer, key, incarnation, fromSeq, toSeq, what, formatInstant(now)])
}

const OPEN_LOSSES = `
select peer, key, incarnation, from_seq as "fromSeq", to_seq as "toSeq", what from bus.loss where reconciled_at is null
order by found_at limit $1`
const LOSS_COLUMNS = columns<Loss>({
  peer: 'text',
  key: 'text',
  incarnation: 'integer',
  fromSeq: 'integer',
  toSeq: 'integer',
  what: 'text',
})

export async function readOpenLosses(read: Read, limit: number): Promise<readonly Loss[]> {
  return runStatement(read, OPEN_LOSSES, [limit], LOSS_COLUMNS)
}

const RECONCILED = `
update bus.loss set reconciled_at = $6
where peer = $1 and key = $2 and incarnation = $3 and from_seq = $4 and what = $5 and reconciled_at is null
returning key`

/** False when another process was faster. */
export async function markReconciled(tx: Tx, loss: Loss, now: Instant): Promise<boolean> {
  const name = [loss.peer, loss.key, loss.incarnation, loss.fromSeq, loss.what]
  return (await runStatement(tx, RECONCILED, [...name, formatInstant(now)])).length > 0
}
