import { type Read, runStatement } from '@sealpost/postgres'

/** What an operator wants to see rise or fall. */
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

export async function readCounts(read: Read): Promise<BusCounts> {
  const [row] = await runStatement<BusCounts>(read, COUNTS, [])
  if (row === undefined) throw new Error('a select without a table answered no row')
  return row
}
