import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ChannelKey, Lease, NumberSet, OwnerId, PageId } from '../model.ts'
import { IS_LEASED, MARK_GONE } from './channels.ts'

/** The end of the last lease in a channel, by the clock of the database; null without one. */
export async function findLeasedPage(read: Read, { ownerId, channel }: ChannelKey): Promise<{ until: Instant } | null> {
  const [row] = await runStatement<{ until: Instant | null }>(
    read,
    `select round(extract(epoch from max(page.leased_until)) * 1000)::float8 as until from feed.page page
    where page.owner_id = $1 and page.channel = $2 and ${IS_LEASED}`,
    [ownerId, channel],
  )
  return row === undefined || row.until === null ? null : { until: row.until }
}

export interface NewPage {
  readonly lease: Lease
  readonly limit: number
  readonly chosen: NumberSet
  readonly now: Instant
  /** Attempts made before this have no page any more, and their names may be used again. */
  readonly attemptsFrom: Instant
  readonly leaseSeconds: number
  /** The channel's version when the events were chosen; null when the caller holds the channel's lock since then. */
  readonly version: number | null
}

const INSERT = `
with claimed as (
  update feed.channel set version = version + 1
  where owner_id = $1 and no = $3 and version = coalesce($11, version) returning 1),
made as (
insert into feed.page as page (owner_id, id, channel, attempt_id, row_limit, chosen, covers, made_at, leased_until)
select $1, $2::uuid, $3, $4, $5, $6::int8multirange, $7::int8multirange, to_timestamp($8 / 1000.0),
  clock_timestamp() + make_interval(secs => $9) from claimed
on conflict (owner_id, attempt_id) where attempt_id is not null do update set id = excluded.id,
  channel = excluded.channel, row_limit = excluded.row_limit, chosen = excluded.chosen, covers = excluded.covers,
  made_at = excluded.made_at, leased_until = excluded.leased_until, lease_no = 1
where page.made_at <= to_timestamp($10 / 1000.0)
returning id)
select id from made union all select id from feed.page where owner_id = $1 and id = $2::uuid`

/**
 * False when the attempt already has a page, or when the channel's version changed since the events were chosen.
 * Idempotent: a repeated call finds the page that it inserted.
 */
export async function insertPage(tx: Tx, page: NewPage): Promise<boolean> {
  const { ownerId, id, channel, attemptId, covers } = page.lease
  const names = [ownerId, id, channel, attemptId, page.limit]
  const values = [...names, page.chosen, covers, page.now, page.leaseSeconds, page.attemptsFrom, page.version]
  return (await runStatement(tx, INSERT, values)).length === 1
}

export async function hasAttempt(
  read: Read,
  ownerId: OwnerId,
  attemptId: string,
  madeAfter: Instant,
): Promise<boolean> {
  const rows = await runStatement(
    read,
    'select id from feed.page where owner_id = $1 and attempt_id = $2 and made_at > to_timestamp($3 / 1000.0)',
    [ownerId, attemptId, madeAfter],
  )
  return rows.length > 0
}

/** Leases the page of a repeated attempt again and answers the new lease number; events that are gone stay gone. */
export async function renewLease(tx: Tx, ownerId: OwnerId, id: PageId, leaseSeconds: number): Promise<number | null> {
  const [row] = await runStatement<{ lease_no: number }>(
    tx,
    `update feed.page set lease_no = lease_no + 1,
      leased_until = case when leased_until is not null then clock_timestamp() + make_interval(secs => $3) end
    where owner_id = $1 and id = $2 returning lease_no`,
    [ownerId, id, leaseSeconds],
  )
  return row?.lease_no ?? null
}

// Locks the channel before the page, like all other statements: the count over `marked` makes its update run first.
const END = `with marked as (${MARK_GONE} returning 1)`
const IS_MARKED = 'owner_id = $1 and id = $4 and (select count(*) from marked) >= 0'
const END_UNNAMED = `${END} delete from feed.page where ${IS_MARKED}`
const END_NAMED = `${END} update feed.page set leased_until = null where ${IS_MARKED}`

/** Marks the events as gone in the channel. The page is kept only if its attempt may be repeated. */
export async function acknowledgePage(tx: Tx, { ownerId, channel, id, covers, attemptId }: Lease): Promise<void> {
  await runStatement(tx, attemptId === null ? END_UNNAMED : END_NAMED, [ownerId, channel, covers, id])
}

/**
 * Ends a page whose gone numbers the caller writes elsewhere, and answers these numbers. Null when the page is unknown or
 * has already ended: its numbers may have been requested again since.
 */
export async function completePage(tx: Tx, { ownerId, id, attemptId }: Lease): Promise<NumberSet | null> {
  const sql =
    attemptId === null
      ? 'delete from feed.page where owner_id = $1 and id = $2 returning covers::text as covers'
      : `update feed.page set leased_until = null where owner_id = $1 and id = $2 and leased_until is not null
        returning covers::text as covers`
  const [row] = await runStatement<{ covers: NumberSet }>(tx, sql, [ownerId, id])
  return row?.covers ?? null
}

/** A replay brings back the numbers that open pages skipped: they now cover their own events only. */
export async function narrowPages(tx: Tx, ownerId: OwnerId, channel: number): Promise<void> {
  await runStatement(
    tx,
    'update feed.page set covers = chosen where owner_id = $1 and channel = $2 and leased_until is not null',
    [ownerId, channel],
  )
}

/** Makes the events of the page free again. */
export async function releasePage(tx: Tx, { ownerId, id, leaseNo }: Lease): Promise<void> {
  await runStatement(
    tx,
    `update feed.page set leased_until = clock_timestamp()
    where owner_id = $1 and id = $2 and lease_no = $3 and leased_until is not null`,
    [ownerId, id, leaseNo],
  )
}

export async function deletePagesOf(tx: Tx, ownerId: OwnerId): Promise<void> {
  await runStatement(tx, 'delete from feed.page where owner_id = $1', [ownerId])
}

export async function deletePagesOfChannel(tx: Tx, ownerId: OwnerId, channel: number): Promise<void> {
  await runStatement(tx, 'delete from feed.page where owner_id = $1 and channel = $2', [ownerId, channel])
}

/** Across all owners: pages that are neither leased nor repeatable any more. */
export async function deleteOldPages(tx: Tx, madeBefore: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from feed.page where (owner_id, id) in (
      select page.owner_id, page.id from feed.page page
      where page.made_at < to_timestamp($1 / 1000.0) and ${IS_LEASED} is not true
      order by page.made_at limit $2 for update skip locked)
    returning id`,
    [madeBefore, limit],
  )
  return rows.length
}
