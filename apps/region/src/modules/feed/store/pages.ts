import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { OwnerId } from '../owner.ts'
import { type ChannelName, IS_LEASED, MARK_GONE, type PageId } from './channels.ts'
import type { NumberSet } from './log.ts'
import type { OutletPlace } from './outlets.ts'

/** A lease of a page, held by the call that answers it. */
export interface Lease extends ChannelName {
  readonly id: PageId
  /** Rises when the page is answered again: an older call that ends late must not end the newer lease. */
  readonly leaseNo: number
  /** What its events stand for: they, and those between them that nobody will see. */
  readonly covers: NumberSet
  readonly attemptId: string | null
  /** When it is a webhook's backlog that is drained. */
  readonly outlet: OutletPlace | null
}

/** Of a drain by hand that has not ended, by the clock of the database. */
export async function findHeldPage(read: Read, { ownerId, channel }: ChannelName): Promise<{ until: Instant } | null> {
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
  /** An attempt made before has no page any more, and its name may be used again. */
  readonly attemptsFrom: Instant
  readonly leaseSeconds: number
  /** When its events were chosen; null when the channel has been locked since before. */
  readonly turn: number | null
}

const INSERT = `
with taken as (
  update feed.channel set turn = turn + 1 where owner_id = $1 and no = $3 and turn = coalesce($11, turn) returning 1),
made as (
insert into feed.page as page (owner_id, id, channel, attempt_id, row_limit, chosen, covers, made_at, leased_until)
select $1, $2::uuid, $3, $4, $5, $6::int8multirange, $7::int8multirange, to_timestamp($8 / 1000.0),
  clock_timestamp() + make_interval(secs => $9) from taken
on conflict (owner_id, attempt_id) where attempt_id is not null do update set id = excluded.id,
  channel = excluded.channel, row_limit = excluded.row_limit, chosen = excluded.chosen, covers = excluded.covers,
  made_at = excluded.made_at, leased_until = excluded.leased_until, lease_no = 1
where page.made_at <= to_timestamp($10 / 1000.0)
returning id)
select id from made union all select id from feed.page where owner_id = $1 and id = $2::uuid`

/**
 * False when the attempt has a page already, and when others have taken something since its events were chosen. May be done
 * twice: who finds the page there has made it.
 */
export async function insertPage(tx: Tx, page: NewPage): Promise<boolean> {
  const { ownerId, id, channel, attemptId, covers } = page.lease
  const names = [ownerId, id, channel, attemptId, page.limit]
  const values = [...names, page.chosen, covers, page.now, page.leaseSeconds, page.attemptsFrom, page.turn]
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

/** For an attempt that is answered again; answers the new lease. A page whose events are gone stays so. */
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

// The channel before the page, as everybody locks them: what is asked of `marked` makes it come first.
const END = `with marked as (${MARK_GONE} returning 1)`
const IS_MARKED = 'owner_id = $1 and id = $4 and (select count(*) from marked) >= 0'
const END_UNNAMED = `${END} delete from feed.page where ${IS_MARKED}`
const END_NAMED = `${END} update feed.page set leased_until = null where ${IS_MARKED}`

/** Its events are gone; only an attempt may still be asked for again. */
export async function endPage(tx: Tx, { ownerId, channel, id, covers, attemptId }: Lease): Promise<void> {
  await runStatement(tx, attemptId === null ? END_UNNAMED : END_NAMED, [ownerId, channel, covers, id])
}

/**
 * As `endPage`, when what is gone is written down elsewhere; answers what that is. Null when the page has ended before or
 * is not known: what it stood for may have been asked for again since.
 */
export async function settlePage(tx: Tx, { ownerId, id, attemptId }: Lease): Promise<NumberSet | null> {
  const sql =
    attemptId === null
      ? 'delete from feed.page where owner_id = $1 and id = $2 returning covers::text as covers'
      : `update feed.page set leased_until = null where owner_id = $1 and id = $2 and leased_until is not null
        returning covers::text as covers`
  const [row] = await runStatement<{ covers: NumberSet }>(tx, sql, [ownerId, id])
  return row?.covers ?? null
}

/** What open pages pass over is wanted after all. */
export async function narrowPages(tx: Tx, ownerId: OwnerId, channel: number): Promise<void> {
  await runStatement(
    tx,
    'update feed.page set covers = chosen where owner_id = $1 and channel = $2 and leased_until is not null',
    [ownerId, channel],
  )
}

/** Its events are free again. */
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

/** Of any owner: neither asked for again nor leased any more. */
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
