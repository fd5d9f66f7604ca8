import type { Instant, UserId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import type { FeedOwner, OwnerId } from '../owner.ts'

export interface HeadAdvance {
  readonly ownerId: OwnerId
  readonly accountId: UserId
  readonly kind: FeedOwner['kind']
  /** How many numbers are taken. */
  readonly count: number
}

const ADVANCE = `
insert into feed.head as head (owner_id, account_id, kind, last_no)
select o."ownerId", o."accountId", o.kind, o.count
from jsonb_to_recordset($1::jsonb) as o ("ownerId" uuid, "accountId" uuid, kind text, count bigint)
order by o."ownerId"
on conflict (owner_id) do update set last_no = head.last_no + excluded.last_no where head.dropped_at is null
returning owner_id as "ownerId", last_no as "lastNo"`

/** Locks the heads in the order of the owners' ids and answers the last number of each; a dropped feed has none. */
export async function advanceHeads(tx: Tx, advances: readonly HeadAdvance[]): Promise<ReadonlyMap<string, number>> {
  const rows = await runStatement<{ ownerId: string; lastNo: number }>(tx, ADVANCE, [JSON.stringify(advances)])
  return new Map(rows.map(({ ownerId, lastNo }) => [ownerId, lastNo]))
}

/** Stays behind as a sign that nothing may come any more. */
export async function closeHead(tx: Tx, advance: Omit<HeadAdvance, 'count'>, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into feed.head as head (owner_id, account_id, kind, last_no, dropped_at)
    values ($1, $2, $3, 0, to_timestamp($4 / 1000.0))
    on conflict (owner_id) do update set dropped_at = coalesce(head.dropped_at, excluded.dropped_at)`,
    [advance.ownerId, advance.accountId, advance.kind, now],
  )
}

/** Numbers of channels are never used again: what was left behind by one must not turn up in another. */
export async function takeChannelNo(
  tx: Tx,
  { ownerId, accountId, kind }: Omit<HeadAdvance, 'count'>,
): Promise<{ readonly channel: number; readonly lastNo: number } | null> {
  const [row] = await runStatement<{ channel: number; lastNo: number }>(
    tx,
    `insert into feed.head as head (owner_id, account_id, kind, last_no, last_channel) values ($1, $2, $3, 0, 1)
    on conflict (owner_id) do update set last_channel = head.last_channel + 1 where head.dropped_at is null
    returning last_channel as channel, last_no as "lastNo"`,
    [ownerId, accountId, kind],
  )
  return row ?? null
}
