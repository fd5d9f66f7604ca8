import type { Instant, WebhookId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ChannelKey, NumberSet, OwnerId, PageId } from '../model.ts'

/** The channel that every owner has: for drains that name neither a listener nor a webhook. */
export const PLAIN = 0

/** Selects the channel of an owner that a caller reads. */
export interface ChannelQuery {
  readonly ownerId: OwnerId
  /** Null for the plain channel, unless a webhook is named. */
  readonly listener: string | null
  readonly webhookId: WebhookId | null
}

/** How far a channel has come in its owner's feed: a snapshot. */
export interface ChannelPosition {
  /** All numbers up to the cursor are gone: delivered, collapsed, expired or never subscribed to. */
  readonly cursor: number
  /** Numbers beyond the cursor that are gone. */
  readonly gone: NumberSet
  /** Numbers in pages that other calls are answering. */
  readonly leased: NumberSet
  /** The last number of the feed. */
  readonly lastNo: number
  /** Rises with every lease and restart: while it is unchanged, the events that were free are still free. */
  readonly version: number
}

export interface ChannelState extends ChannelPosition {
  /** Null for a channel that was never read. */
  readonly channel: number | null
  /** Milliseconds; null like the number. */
  readonly usedAt: number | null
}

/** The page of a named attempt, while it can be repeated. */
export interface AttemptedPage {
  readonly id: PageId
  readonly channel: number
  readonly limit: number
  readonly chosen: NumberSet
  readonly covers: NumberSet
}

// Several machines compare leases, so the clock of the database decides.
export const IS_LEASED = 'page.leased_until > clock_timestamp()'

const POSITION = `head.last_no as "lastNo", coalesce(channel.cursor, 0) as cursor, coalesce(channel.gone, '{}')::text as gone,
  coalesce(channel.version, 0) as version, coalesce((
    select range_agg(run) from feed.page page, unnest(page.covers) as run
    where page.owner_id = head.owner_id and page.channel = channel.no and ${IS_LEASED}), '{}')::text as leased`

const FIND = `
select channel.no as channel, ${POSITION},
  round(extract(epoch from channel.used_at) * 1000)::float8 as "usedAt", page.id as "pageId",
  page.channel as "pageChannel", page.row_limit as limit, page.chosen::text as chosen, page.covers::text as covers
from feed.head head
left join feed.channel channel on channel.owner_id = head.owner_id and case
  when $3::uuid is not null then channel.webhook_id = $3::uuid
  when $2::text is not null then channel.listener = $2::text
  else channel.no = 0 end
left join feed.page page
  on page.owner_id = head.owner_id and page.attempt_id = $4 and page.made_at > to_timestamp($5 / 1000.0)
where head.owner_id = $1 and head.deleted_at is null`

type FoundRow = ChannelState &
  Omit<AttemptedPage, 'id' | 'channel'> & { readonly pageId: PageId | null; readonly pageChannel: number }

/**
 * The channel and the page of the attempt in one snapshot: if the channel is empty and no page is found, no call of this
 * attempt got one. Null for an owner without a feed.
 */
export async function findChannel(
  read: Read,
  { ownerId, listener, webhookId }: ChannelQuery,
  attempt: { readonly id: string | null; readonly madeAfter: Instant },
): Promise<{ readonly state: ChannelState; readonly page: AttemptedPage | null } | null> {
  const values = [ownerId, listener, webhookId, attempt.id, attempt.madeAfter]
  const [row] = await runStatement<FoundRow & Record<string, unknown>>(read, FIND, values)
  if (row === undefined) return null
  const { pageId, pageChannel, limit, chosen, covers, ...state } = row
  return { state, page: pageId === null ? null : { id: pageId, channel: pageChannel, limit, chosen, covers } }
}

export async function insertChannel(
  tx: Tx,
  { ownerId, channel }: ChannelKey,
  fresh: { readonly listener: string | null; readonly cursor: number; readonly now: Instant },
): Promise<void> {
  await runStatement(
    tx,
    `insert into feed.channel (owner_id, no, listener, cursor, used_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0)) on conflict do nothing`,
    [ownerId, channel, fresh.listener, fresh.cursor, fresh.now],
  )
}

const STAND = `
select ${POSITION} from feed.head head
join feed.channel channel on channel.owner_id = head.owner_id and channel.no = $2
where head.owner_id = $1 and head.deleted_at is null`

/** Stable only under the lock of the channel; null for a missing channel. */
export async function readPosition(read: Read, { ownerId, channel }: ChannelKey): Promise<ChannelPosition | null> {
  const [row] = await runStatement<ChannelPosition & Record<string, unknown>>(read, STAND, [ownerId, channel])
  return row ?? null
}

/** Serialises readers of one channel; writers never wait for this lock. False for a missing channel. */
export async function lockChannel(tx: Tx, { ownerId, channel }: ChannelKey): Promise<boolean> {
  const sql = 'select from feed.channel where owner_id = $1 and no = $2 for update'
  return (await runStatement(tx, sql, [ownerId, channel])).length === 1
}

/** All numbers up to the cursor are gone, so the first run of gone numbers always starts at 0. */
export const MARK_GONE = `
update feed.channel c set (cursor, gone) = (
  select upper(run) - 1, whole - int8multirange(run)
  from (select c.gone + $3::int8multirange + int8multirange(int8range(0, c.cursor, '[]')) as whole) as everything,
    unnest(whole) as run
  where run @> 0::bigint)
where c.owner_id = $1 and c.no = $2`

/** Idempotent and commutative. */
export async function markGone(tx: Tx, { ownerId, channel }: ChannelKey, numbers: NumberSet): Promise<void> {
  await runStatement(tx, MARK_GONE, [ownerId, channel, numbers])
}

/** Restarts an idle listener after the last number; false when a concurrent poll used it since. */
export async function restartListener(
  tx: Tx,
  { ownerId, channel }: ChannelKey,
  { lastNo, usedBefore, now }: { readonly lastNo: number; readonly usedBefore: Instant; readonly now: Instant },
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update feed.channel set cursor = $3, gone = '{}', version = version + 1, used_at = to_timestamp($4 / 1000.0)
    where owner_id = $1 and no = $2 and used_at < to_timestamp($5 / 1000.0) returning no`,
    [ownerId, channel, lastNo, now, usedBefore],
  )
  return rows.length > 0
}

export async function touchListener(tx: Tx, { ownerId, channel }: ChannelKey, now: Instant): Promise<void> {
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
  // In the common lock order: an owner may have webhook queues.
  await runStatement(tx, 'select no from feed.channel where owner_id = $1 order by no for update', [ownerId])
  await runStatement(tx, 'delete from feed.channel where owner_id = $1', [ownerId])
}
