import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import { END } from '../outlets/machine.ts'
import type { SubscribedRun } from '../outlets/runs.ts'
import type { OwnerId } from '../owner.ts'
import type { OutletPlace } from './outlets.ts'

/**
 * [Note: subscriptions] What a webhook takes is written down as runs of numbers: an event beyond `from_no`, up to `to_no`
 * if the run is closed, whose kind is among the run's, belongs to the webhook. Runs are opened and closed under the lock
 * of the feed's head, under which events get their numbers; so what an event goes to is settled when it is appended,
 * without a row that says so.
 */
const taken = (event: string): string => `exists (
  select from feed.subscription s
  where s.owner_id = c.owner_id and s.channel = c.no and s.from_no < ${event}.no
    and (s.to_no is null or s.to_no >= ${event}.no) and (s.kinds is null or ${event}.kind = any(s.kinds)))`
/** Of an event `e` and a channel `c`. */
export const IS_TAKEN = taken('e')
/** Of an event `later` and a channel `c`. */
export const IS_LATER_TAKEN = taken('later')

/** Locked by the head of the feed, like every change of them. */
export async function readRuns(read: Read, { serviceId, channel }: OutletPlace): Promise<readonly SubscribedRun[]> {
  const rows = await runStatement<{ fromNo: number; toNo: number | null; kinds: readonly string[] | null }>(
    read,
    'select from_no as "fromNo", to_no as "toNo", kinds from feed.subscription where owner_id = $1 and channel = $2',
    [serviceId, channel],
  )
  return rows.map(({ fromNo, toNo, kinds }) => ({ from: fromNo, to: toNo ?? END, kinds }))
}

/** Runs may lie over each other. */
export async function writeRuns(tx: Tx, place: OutletPlace, runs: readonly SubscribedRun[]): Promise<void> {
  await deleteSubscriptions(tx, place)
  for (const { from, to, kinds } of runs)
    await runStatement(
      tx,
      'insert into feed.subscription (owner_id, channel, from_no, to_no, kinds) values ($1, $2, $3, $4, $5)',
      [place.serviceId, place.channel, from, to === END ? null : to, kinds],
    )
}

export async function deleteSubscriptions(tx: Tx, { serviceId, channel }: OutletPlace): Promise<void> {
  await runStatement(tx, 'delete from feed.subscription where owner_id = $1 and channel = $2', [serviceId, channel])
}

export async function deleteSubscriptionsOf(tx: Tx, ownerId: OwnerId): Promise<void> {
  await runStatement(tx, 'delete from feed.subscription where owner_id = $1', [ownerId])
}

const DELETE_PASSED = `
with passed as (
  select s.owner_id, s.channel, s.no
  from feed.subscription s join feed.channel c on c.owner_id = s.owner_id and c.no = s.channel
  where s.to_no is not null and c.cursor >= s.to_no
  for update of s skip locked)
delete from feed.subscription s using passed
where s.owner_id = passed.owner_id and s.channel = passed.channel and s.no = passed.no`

/**
 * Of any outlet: closed, and the cursor has passed. Those that somebody is changing are left for the next time: waiting
 * for them in no order, with others locked, is how two transactions come to wait for each other.
 */
export async function deletePassedSubscriptions(tx: Tx): Promise<void> {
  await runStatement(tx, DELETE_PASSED, [])
}
