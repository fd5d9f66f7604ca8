import type { Brand, Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { OwnerId } from '../owner.ts'
import type { ChannelName, Progress } from './channels.ts'
import type { NumberSet } from './log.ts'

export type PageId = Brand<string, 'PageId'>

/** A lease of a page, held by the call that answers it. */
export interface Lease extends ChannelName {
  readonly id: PageId
  /** Rises when the page is answered again: an older call that ends late must not end the newer lease. */
  readonly leaseNo: number
  /** What its events stand for: they, and those between them that nobody will see. */
  readonly covers: NumberSet
  readonly attemptId: string | null
}

// Leases are compared by several machines, so their time is the database's.
const IS_LEASED = 'page.leased_until > clock_timestamp()'

const OPEN = `
select head.last_no as "lastNo", coalesce((
  select range_agg(run) from feed.page page, unnest(page.covers) as run
  where page.owner_id = $1 and page.channel = $2 and ${IS_LEASED}), '{}')::text as leased
from feed.head head where head.owner_id = $1 and head.dropped_at is null`

export interface OpenLeases {
  readonly lastNo: number
  readonly leased: NumberSet
}

/** What other calls are answering at the moment. Read under the lock of the channel, or it is only a guess. */
export async function readOpenLeases(read: Read, { ownerId, channel }: ChannelName): Promise<OpenLeases | null> {
  const [row] = await runStatement<OpenLeases>(read, OPEN, [ownerId, channel])
  return row ?? null
}

/** The numbers behind the cursor up to `to` that are neither gone nor leased. */
export async function subtractTaken(
  read: Read,
  { cursor, gone }: Progress,
  leased: NumberSet,
  to: number,
): Promise<NumberSet> {
  const [row] = await runStatement<{ rest: string }>(
    read,
    `select (int8multirange(int8range($1, $2, '(]')) - $3::int8multirange - $4::int8multirange)::text as rest`,
    [cursor, to, gone, leased],
  )
  return row?.rest ?? '{}'
}

export interface NewPage {
  readonly lease: Lease
  readonly limit: number
  readonly numbers: readonly number[]
  readonly now: Instant
  readonly leaseSeconds: number
}

const INSERT = `
insert into feed.page (owner_id, id, channel, attempt_id, row_limit, chosen, covers, made_at, leased_until)
values ($1, $2, $3, $4, $5, (select range_agg(int8range(n, n, '[]')) from unnest($6::bigint[]) as n),
  $7::int8multirange, to_timestamp($8 / 1000.0), clock_timestamp() + make_interval(secs => $9))
on conflict do nothing returning id`

/** False when the attempt has a page already. */
export async function insertPage(tx: Tx, page: NewPage): Promise<boolean> {
  const { ownerId, id, channel, attemptId, covers } = page.lease
  const values = [ownerId, id, channel, attemptId, page.limit, page.numbers, covers, page.now, page.leaseSeconds]
  return (await runStatement(tx, INSERT, values)).length === 1
}

export interface AttemptedPage {
  readonly id: PageId
  readonly channel: number
  readonly limit: number
  readonly chosen: NumberSet
  readonly covers: NumberSet
}

export async function findAttempt(
  read: Read,
  ownerId: OwnerId,
  attemptId: string,
  madeAfter: Instant,
): Promise<AttemptedPage | null> {
  const [row] = await runStatement<AttemptedPage>(
    read,
    `select id, channel, row_limit as limit, chosen::text as chosen, covers::text as covers from feed.page
    where owner_id = $1 and attempt_id = $2 and made_at > to_timestamp($3 / 1000.0)`,
    [ownerId, attemptId, madeAfter],
  )
  return row ?? null
}

/** Frees the name of an attempt that nobody can ask for again. */
export async function deleteAttempt(tx: Tx, ownerId: OwnerId, attemptId: string, madeUntil: Instant): Promise<void> {
  await runStatement(
    tx,
    `delete from feed.page where owner_id = $1 and attempt_id = $2 and made_at <= to_timestamp($3 / 1000.0)`,
    [ownerId, attemptId, madeUntil],
  )
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

/** Its events are gone; only an attempt may still be asked for again. */
export async function settlePage(tx: Tx, { ownerId, id, attemptId }: Lease): Promise<void> {
  const sql =
    attemptId === null
      ? 'delete from feed.page where owner_id = $1 and id = $2'
      : 'update feed.page set leased_until = null where owner_id = $1 and id = $2'
  await runStatement(tx, sql, [ownerId, id])
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
