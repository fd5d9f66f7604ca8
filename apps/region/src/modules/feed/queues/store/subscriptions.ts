import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { OwnerId, QueueKey } from '../../model.ts'
import { END } from '../../rules/ranges.ts'
import type { SubscriptionRun } from '../rules/subscription-runs.ts'

/**
 * [Note: subscriptions] The subscription of a webhook is stored as runs of numbers: an event beyond `from_no`, and up to
 * `to_no` if the run is closed, belongs to the webhook if its kind is among those of the run. Runs are opened and closed
 * under the lock of the feed's head, under which events get their numbers. So the receivers of an event are fixed when it
 * is appended, without a row per receiver.
 */
const isSubscribed = (event: string): string => `exists (
  select from feed.subscription s
  where s.owner_id = c.owner_id and s.channel = c.no and s.from_no < ${event}.no
    and (s.to_no is null or s.to_no >= ${event}.no) and (s.kinds is null or ${event}.kind = any(s.kinds)))`
/** For an event `e` and a channel `c`. */
export const IS_SUBSCRIBED = isSubscribed('e')
/** For an event `later` and a channel `c`. */
export const IS_LATER_SUBSCRIBED = isSubscribed('later')

/** The runs of a channel `c` as JSON. */
export const RUNS = `(select json_agg(json_build_object('fromNo', s.from_no, 'toNo', s.to_no, 'kinds', s.kinds))
  from feed.subscription s where s.owner_id = c.owner_id and s.channel = c.no)`

export interface RunRow {
  readonly fromNo: number
  readonly toNo: number | null
  readonly kinds: readonly string[] | null
}

export function runOf({ fromNo, toNo, kinds }: RunRow): SubscriptionRun {
  return { from: fromNo, to: toNo ?? END, kinds }
}

/** Stable only under the lock of the feed's head. */
export async function readRuns(read: Read, { serviceId, channel }: QueueKey): Promise<readonly SubscriptionRun[]> {
  const rows = await runStatement<RunRow & Record<string, unknown>>(
    read,
    'select from_no as "fromNo", to_no as "toNo", kinds from feed.subscription where owner_id = $1 and channel = $2',
    [serviceId, channel],
  )
  return rows.map(runOf)
}

/** Runs may overlap. */
export async function writeRuns(tx: Tx, key: QueueKey, runs: readonly SubscriptionRun[]): Promise<void> {
  await deleteSubscriptions(tx, key)
  for (const { from, to, kinds } of runs)
    await runStatement(
      tx,
      'insert into feed.subscription (owner_id, channel, from_no, to_no, kinds) values ($1, $2, $3, $4, $5)',
      [key.serviceId, key.channel, from, to === END ? null : to, kinds],
    )
}

export async function deleteSubscriptions(tx: Tx, { serviceId, channel }: QueueKey): Promise<void> {
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
 * Across all queues: runs that are closed and behind the cursor. Locked rows are skipped: waiting for them in no fixed
 * order could deadlock.
 */
export async function deletePassedSubscriptions(tx: Tx): Promise<void> {
  await runStatement(tx, DELETE_PASSED, [])
}
