import { columns, type Read, runStatement } from '@sealpost/postgres'

/** Counts for the operator's metrics. */
export interface BusCounts {
  readonly pendingLanes: number
  readonly failingLanes: number
  readonly heldPeers: number
  readonly openLosses: number
}

const COUNTS = `
select
  (select count(*) from bus.lane where pending) as "pendingLanes",
  (select count(*) from bus.inbox_lane where failing_since is not null) as "failingLanes",
  (select count(*) from bus.peer where held is not null) as "heldPeers",
  (select count(*) from bus.loss where reconciled_at is null) as "openLosses"`
const COUNTS_COLUMNS = columns<BusCounts>({
  pendingLanes: 'integer',
  failingLanes: 'integer',
  heldPeers: 'integer',
  openLosses: 'integer',
})

export async function readCounts(read: Read): Promise<BusCounts> {
  const [row] = await runStatement(read, COUNTS, [], COUNTS_COLUMNS)
  if (row === undefined) throw new Error('a select without a table returned no row')
  return row
}
