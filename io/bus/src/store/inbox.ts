import { formatInstant, type Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Party } from '../parties.ts'

/** Which lane of which source. */
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

/** The inbox's side of a lane, with both parties' lives as this database knows them. */
export interface InboxLane {
  readonly appliedSeq: number
  /** Null before the first, and after a range that was lost. */
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
select lane.applied_seq, lane.applied_id, (extract(epoch from lane.retry_at) * 1000)::float8 as retry_at, lane.failing_attempts,
  (select incarnation from bus.self) as own_life,
  (select incarnation from bus.peer where party = $1) as source_life,
  (select held is not null from bus.peer where party = $1) as is_held
from bus.inbox_lane lane where lane.source = $1 and lane.key = $2 and lane.incarnation = $3`
const LOCK = `${LANE} for update`
const BEGIN_LANE = `insert into bus.inbox_lane (source, key, incarnation) values ($1, $2, $3) on conflict do nothing`

/** Holds the lane until the transaction ends; a lane that was never heard of begins at 0. */
export async function lockInboxLane(tx: Tx, { source, key, incarnation }: LaneName): Promise<InboxLane> {
  const name = [source, key, incarnation]
  let [row] = await runStatement<InboxLaneRow>(tx, LOCK, name)
  if (row === undefined) {
    await runStatement(tx, BEGIN_LANE, name)
    ;[row] = await runStatement<InboxLaneRow>(tx, LOCK, name)
  }
  if (row === undefined) throw new Error('the inbox lane vanished while it was being locked')
  return inboxLane(row)
}

export async function readInboxLane(read: Read, { source, key, incarnation }: LaneName): Promise<InboxLane | null> {
  const [row] = await runStatement<InboxLaneRow>(read, LANE, [source, key, incarnation])
  return row === undefined ? null : inboxLane(row)
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
select key, incarnation, applied_seq, applied_id from bus.inbox_lane
where source = $1 and (key, incarnation) > ($2, $3)
order by key, incarnation limit $4`

/** The next cursors in the order of (key, incarnation). */
export async function readCursors(
  read: Read,
  source: Party,
  after: { readonly key: string; readonly incarnation: number },
  limit: number,
): Promise<readonly InboxCursor[]> {
  const rows = await runStatement<CursorRow>(read, CURSORS, [source, after.key, after.incarnation, limit])
  return rows.map((row) => ({
    key: row.key,
    incarnation: row.incarnation,
    appliedSeq: row.applied_seq,
    appliedId: row.applied_id,
  }))
}

const FAILING = `
select source, key, incarnation, applied_seq + 1 as seq, failing_kind as kind, failing_since::text as since,
  failing_attempts as attempts, failing_error as error
from bus.inbox_lane where failing_since is not null order by failing_since limit $1`

export async function readFailingLanes(read: Read, limit: number): Promise<readonly FailingLane[]> {
  return runStatement<FailingLane>(read, FAILING, [limit])
}

/**
 * Waits for every transaction that is applying something, and lets none begin until this one ends: after it, nothing of
 * a peer's earlier life can still be applied.
 */
export async function holdAllApplying(tx: Tx): Promise<void> {
  await runStatement(tx, 'lock table bus.inbox_lane in exclusive mode', [])
}

function inboxLane(row: InboxLaneRow): InboxLane {
  return {
    appliedSeq: row.applied_seq,
    appliedId: row.applied_id,
    retryAt: row.retry_at,
    failingAttempts: row.failing_attempts,
    ownLife: row.own_life,
    sourceLife: row.source_life,
    isHeld: row.is_held === true,
  }
}

interface InboxLaneRow {
  readonly applied_seq: number
  readonly applied_id: string | null
  readonly retry_at: number | null
  readonly failing_attempts: number
  readonly own_life: number
  readonly source_life: number | null
  readonly is_held: boolean | null
}

interface CursorRow {
  readonly key: string
  readonly incarnation: number
  readonly applied_seq: number
  readonly applied_id: string | null
}
