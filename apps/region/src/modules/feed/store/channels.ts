import type { Brand, Instant, WebhookId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { OwnerId } from '../owner.ts'
import type { NumberSet } from './log.ts'

export type PageId = Brand<string, 'PageId'>

/** The one that every owner has: what no listener and no webhook is named for. */
export const PLAIN = 0

export interface ChannelName {
  readonly ownerId: OwnerId
  readonly channel: number
}

/** Which channel of an owner a caller reads from. */
export interface Asked {
  readonly ownerId: OwnerId
  /** Null for the plain channel, unless a webhook is named. */
  readonly listener: string | null
  readonly webhookId: WebhookId | null
}

/** What of an owner's feed is still to come in a channel, as it was at one moment. */
export interface Standing {
  /** Everything up to here is gone, and this beyond it. */
  readonly cursor: number
  readonly gone: NumberSet
  /** What other calls are answering at the moment. */
  readonly leased: NumberSet
  /** The last number of the feed. */
  readonly lastNo: number
  /** Rises whenever something is taken or passed over: while it is the same, what was free still is. */
  readonly turn: number
}

export interface ChannelState extends Standing {
  /** Null for a channel that nobody has read from yet. */
  readonly channel: number | null
  /** Milliseconds; null like the number. */
  readonly usedAt: number | null
}

/** A page that was made under a name, for as long as it may be asked for again. */
export interface AttemptedPage {
  readonly id: PageId
  readonly channel: number
  readonly limit: number
  readonly chosen: NumberSet
  readonly covers: NumberSet
}

// Leases are compared by several machines, so their time is the database's.
export const IS_LEASED = 'page.leased_until > clock_timestamp()'

const STANDING = `head.last_no as "lastNo", coalesce(channel.cursor, 0) as cursor, coalesce(channel.gone, '{}')::text as gone,
  coalesce(channel.turn, 0) as turn, coalesce((
    select range_agg(run) from feed.page page, unnest(page.covers) as run
    where page.owner_id = head.owner_id and page.channel = channel.no and ${IS_LEASED}), '{}')::text as leased`

const FIND = `
select channel.no as channel, ${STANDING},
  round(extract(epoch from channel.used_at) * 1000)::float8 as "usedAt", page.id as "pageId",
  page.channel as "pageChannel", page.row_limit as limit, page.chosen::text as chosen, page.covers::text as covers
from feed.head head
left join feed.channel channel on channel.owner_id = head.owner_id and case
  when $3::uuid is not null then channel.webhook_id = $3::uuid
  when $2::text is not null then channel.listener = $2::text
  else channel.no = 0 end
left join feed.page page
  on page.owner_id = head.owner_id and page.attempt_id = $4 and page.made_at > to_timestamp($5 / 1000.0)
where head.owner_id = $1 and head.dropped_at is null`

type FoundRow = ChannelState &
  Omit<AttemptedPage, 'id' | 'channel'> & { readonly pageId: PageId | null; readonly pageChannel: number }

/**
 * The channel and the page of an attempt as they were at one moment: where nothing waits and no page is seen, no call of
 * this attempt has got one. Null for an owner without a feed.
 */
export async function findChannel(
  read: Read,
  { ownerId, listener, webhookId }: Asked,
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

const STAND = `
select ${STANDING} from feed.head head
join feed.channel channel on channel.owner_id = head.owner_id and channel.no = $2
where head.owner_id = $1 and head.dropped_at is null`

/** Under the lock of the channel it stays so; null for a channel that is not there. */
export async function readStanding(read: Read, { ownerId, channel }: ChannelName): Promise<Standing | null> {
  const [row] = await runStatement<Standing & Record<string, unknown>>(read, STAND, [ownerId, channel])
  return row ?? null
}

/** Readers of one channel take turns at taking pages; writers never wait for them. */
export async function lockChannel(tx: Tx, { ownerId, channel }: ChannelName): Promise<boolean> {
  const sql = 'select from feed.channel where owner_id = $1 and no = $2 for update'
  return (await runStatement(tx, sql, [ownerId, channel])).length === 1
}

/** Everything up to the cursor is gone, so the first run of gone numbers always begins at 0. */
export const MARK_GONE = `
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

/** A listener begins anew with what comes after this, unless somebody has used it since: false. */
export async function restartListener(
  tx: Tx,
  { ownerId, channel }: ChannelName,
  { lastNo, usedBefore, now }: { readonly lastNo: number; readonly usedBefore: Instant; readonly now: Instant },
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update feed.channel set cursor = $3, gone = '{}', turn = turn + 1, used_at = to_timestamp($4 / 1000.0)
    where owner_id = $1 and no = $2 and used_at < to_timestamp($5 / 1000.0) returning no`,
    [ownerId, channel, lastNo, now, usedBefore],
  )
  return rows.length > 0
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
  // In the order in which everybody locks them: an owner may have outlets.
  await runStatement(tx, 'select no from feed.channel where owner_id = $1 order by no for update', [ownerId])
  await runStatement(tx, 'delete from feed.channel where owner_id = $1', [ownerId])
}
