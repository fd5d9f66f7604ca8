import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { OwnerId } from '../owner.ts'
import type { NumberSet } from './log.ts'

/** The one that every owner has: what no listener and no webhook is named for. */
export const PLAIN = 0

export interface ChannelName {
  readonly ownerId: OwnerId
  readonly channel: number
}

export interface ChannelState {
  /** Null for a channel that nobody has read from yet. */
  readonly channel: number | null
  readonly cursor: number
  /** The last number of the owner's feed. */
  readonly lastNo: number
  /** Milliseconds; null like the number. */
  readonly usedAt: number | null
}

/** Null for an owner without a feed. */
export async function findChannel(read: Read, ownerId: OwnerId, listener: string | null): Promise<ChannelState | null> {
  const [row] = await runStatement<ChannelState>(
    read,
    `select channel.no as channel, coalesce(channel.cursor, 0) as cursor, head.last_no as "lastNo",
      round(extract(epoch from channel.used_at) * 1000)::float8 as "usedAt"
    from feed.head head left join feed.channel channel
      on channel.owner_id = head.owner_id
        and case when $2::text is null then channel.no = 0 else channel.listener = $2::text end
    where head.owner_id = $1 and head.dropped_at is null`,
    [ownerId, listener],
  )
  return row ?? null
}

export async function insertChannel(
  tx: Tx,
  { ownerId, channel }: ChannelName,
  fresh: { readonly listener: string | null; readonly cursor: number; readonly now: Instant },
): Promise<void> {
  await runStatement(
    tx,
    `insert into feed.channel (owner_id, no, listener, cursor, used_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0)) on conflict do nothing`,
    [ownerId, channel, fresh.listener, fresh.cursor, fresh.now],
  )
}

export interface Progress {
  readonly cursor: number
  readonly gone: NumberSet
}

const PROGRESS = 'select cursor, gone::text as gone from feed.channel where owner_id = $1 and no = $2'

export async function readProgress(read: Read, { ownerId, channel }: ChannelName): Promise<Progress | null> {
  const [row] = await runStatement<Progress>(read, PROGRESS, [ownerId, channel])
  return row ?? null
}

/** Readers of one channel take turns at taking pages; writers never wait for them. */
export async function lockChannel(tx: Tx, { ownerId, channel }: ChannelName): Promise<Progress | null> {
  const [row] = await runStatement<Progress>(tx, `${PROGRESS} for update`, [ownerId, channel])
  return row ?? null
}

/** Everything up to the cursor is gone, so the first run of gone numbers always begins at 0. */
const MARK_GONE = `
update feed.channel c set (cursor, gone) = (
  select upper(run) - 1, whole - int8multirange(run)
  from (select c.gone + $3::int8multirange + int8multirange(int8range(0, c.cursor, '[]')) as whole) as everything,
    unnest(whole) as run
  where run @> 0::bigint)
where c.owner_id = $1 and c.no = $2`

/** May be done twice, in any order and for numbers that are gone already. */
export async function markGone(tx: Tx, { ownerId, channel }: ChannelName, numbers: NumberSet): Promise<void> {
  await runStatement(tx, MARK_GONE, [ownerId, channel, numbers])
}

/** A listener begins anew with what comes after this. */
export async function restartListener(tx: Tx, name: ChannelName, lastNo: number, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `update feed.channel set cursor = $3, gone = '{}', used_at = to_timestamp($4 / 1000.0)
    where owner_id = $1 and no = $2`,
    [name.ownerId, name.channel, lastNo, now],
  )
}

export async function touchListener(tx: Tx, { ownerId, channel }: ChannelName, now: Instant): Promise<void> {
  await runStatement(
    tx,
    'update feed.channel set used_at = to_timestamp($3 / 1000.0) where owner_id = $1 and no = $2',
    [ownerId, channel, now],
  )
}

export async function deleteListeners(tx: Tx, usedBefore: Instant): Promise<void> {
  await runStatement(
    tx,
    'delete from feed.channel where listener is not null and used_at < to_timestamp($1 / 1000.0)',
    [usedBefore],
  )
}

export async function deleteChannels(tx: Tx, ownerId: OwnerId): Promise<void> {
  await runStatement(tx, 'delete from feed.channel where owner_id = $1', [ownerId])
}
