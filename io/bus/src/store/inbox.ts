import { formatInstant, type Instant } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Party } from '../parties.ts'

/** A lane of a source. */
export interface LaneName {
  readonly source: Party
  readonly key: string
  readonly incarnation: number
}

export interface InboxCursor {
  readonly key: string
  readonly incarnation: number
  readonly appliedSeq: number
  readonly appliedId: string | null
}

/** The inbox's side of a lane, with both parties' incarnations as this database knows them. */
export interface InboxLane {
  readonly appliedSeq: number
  /** Null before the first tell, and after a lost range. */
  readonly appliedId: string | null
  readonly retryAt: number | null
  readonly failingAttempts: number
  readonly ownLife: number
  readonly sourceLife: number | null
  readonly isHeld: boolean
}

export interface FailingLane extends LaneName {
  readonly seq: number
  readonly kind: string
  readonly since: string
  readonly attempts: number
  readonly error: string
}

const LANE = `
select lane.applied_seq as "appliedSeq", lane.applied_id as "appliedId",
  (extract(epoch from lane.retry_at) * 1000)::float8 as "retryAt", lane.failing_attempts as "failingAttempts",
  (select incarnation from bus.self) as "ownLife",
  (select incarnation from bus.peer where party = $1) as "sourceLife",
  exists (select from bus.peer where party = $1 and held is not null) as "isHeld"
from bus.inbox_lane lane where lane.source = $1 and lane.key = $2 and lane.incarnation = $3`
const LOCK = `${LANE} for update`
const LANE_COLUMNS = columns<InboxLane>({
  appliedSeq: 'integer',
  appliedId: 'uuid?',
  retryAt: 'float?',
  failingAttempts: 'integer',
  ownLife: 'integer',
  sourceLife: 'integer?',
  isHeld: 'boolean',
})
const BEGIN_LANE = `insert into bus.inbox_lane (source, key, incarnation) values ($1, $2, $3) on conflict do nothing`

/** Locks the lane until the transaction ends; a new lane starts at 0. */
export async function lockInboxLane(tx: Tx, { source, key, incarnation }: LaneName): Promise<InboxLane> {
  const name = [source, key, incarnation]
  let [lane] = await runStatement(tx, LOCK, name, LANE_COLUMNS)
  if (lane === undefined) {
    await runStatement(tx, BEGIN_LANE, name)
    ;[lane] = await runStatement(tx, LOCK, name, LANE_COLUMNS)
  }
  if (lane === undefined) throw new Error('the inbox lane was deleted while it was being locked')
  return lane
}

export async function readInboxLane(read: Read, { source, key, incarnation }: LaneName): Promise<InboxLane | null> {
  const [lane] = await runStatement(read, LANE, [source, key, incarnation], LANE_COLUMNS)
  return lane ?? null
}

const MOVE = `
update bus.inbox_lane
set applied_seq = $4, applied_id = $5, applied_at = $6,
  failing_since = null, failing_attempts = 0, failing_kind = null, failing_error = null, retry_at = null
where source = $1 and key = $2 and incarnation = $3`

export async function moveCursor(
  tx: Tx,
  { source, key, incarnation }: LaneName,
  applied: { readonly seq: number; readonly id: string | null },
  now: Instant,
): Promise<void> {
  await runStatement(tx, MOVE, [source, key, incarnation, applied.seq, applied.id, formatInstant(now)])
}

const FAIL = `
update bus.inbox_lane
set failing_since = coalesce(failing_since, $4), failing_attempts = failing_attempts + 1, failing_kind = $5,
  failing_error = $6, retry_at = $7
where source = $1 and key = $2 and incarnation = $3`

export async function recordFailure(
  tx: Tx,
  { source, key, incarnation }: LaneName,
  failure: { readonly kind: string; readonly error: string; readonly now: Instant; readonly retryAt: Instant },
): Promise<void> {
  const { kind, error, now, retryAt } = failure
  await runStatement(tx, FAIL, [source, key, incarnation, formatInstant(now), kind, error, formatInstant(retryAt)])
}

const CURSORS = `
select key, incarnation, applied_seq as "appliedSeq", applied_id as "appliedId" from bus.inbox_lane
where source = $1 and (key, incarnation) > ($2, $3)
order by key, incarnation limit $4`
const CURSOR_COLUMNS = columns<InboxCursor>({
  key: 'text',
  incarnation: 'integer',
  appliedSeq: 'integer',
  appliedId: 'uuid?',
})

/** The next cursors in the order of (key, incarnation). */
export async function readCursors(
  read: Read,
  source: Party,
  after: { readonly key: string; readonly incarnation: number },
  limit: number,
): Promise<readonly InboxCursor[]> {
  return runStatement(read, CURSORS, [source, after.key, after.incarnation, limit], CURSOR_COLUMNS)
}

const FAILING = `
select source, key, incarnation, applied_seq + 1 as seq, failing_kind as kind, failing_since::text as since,
  failing_attempts as attempts, failing_error as error
from bus.inbox_lane where failing_since is not null order by failing_since limit $1`
const FAILING_COLUMNS = columns<FailingLane>({
  source: 'text',
  key: 'text',
  incarnation: 'integer',
  seq: 'integer',
  kind: 'text',
  since: 'text',
  attempts: 'integer',
  error: 'text',
})

export async function readFailingLanes(read: Read, limit: number): Promise<readonly FailingLane[]> {
  return runStatement(read, FAILING, [limit], FAILING_COLUMNS)
}

/**
 * Waits for every transaction that is applying a tell, and lets none begin until this one ends: afterwards no tell of a
 * peer's earlier incarnation can be applied.
 */
export async function lockAllLanes(tx: Tx): Promise<void> {
  await runStatement(tx, 'lock table bus.inbox_lane in exclusive mode', [])
}
