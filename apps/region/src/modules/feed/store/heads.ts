import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { FeedOwner, OwnerId } from '../model.ts'

/** Woken when a webhook queue may have become due: [Note: wake-ups]. */
export const DUE_QUEUES = 'sealpost_due_queues'

export interface HeadName {
  readonly ownerId: OwnerId
  readonly accountId: UserId
  readonly kind: FeedOwner['kind']
}

/**
 * The end of an insert into `feed.head as head` of owners with their counts of new events: existing heads advance and
 * become due, deleted ones are left out.
 */
export const ADVANCE = `
on conflict (owner_id) do update set last_no = head.last_no + excluded.last_no, is_due = head.has_webhook_queues
where head.deleted_at is null
returning owner_id as "ownerId", last_no as "lastNo", is_due as "isDue"`

const TAKE_NUMBER = `
insert into feed.head as head (owner_id, account_id, kind, last_no) values ($1, $2, $3, 1) ${ADVANCE}`

/** The next number of a feed; null when it is deleted. */
export async function takeNumber(tx: Tx, { ownerId, accountId, kind }: HeadName): Promise<number | null> {
  const [row] = await runStatement<{ lastNo: number; isDue: boolean }>(tx, TAKE_NUMBER, [ownerId, accountId, kind])
  if (row?.isDue === true) tx.wake(DUE_QUEUES)
  return row?.lastNo ?? null
}

/** The row of the head stays, so that later appends are discarded. */
export async function closeHead(tx: Tx, advance: HeadName, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into feed.head as head (owner_id, account_id, kind, last_no, deleted_at)
    values ($1, $2, $3, 0, to_timestamp($4 / 1000.0))
    on conflict (owner_id) do update
      set deleted_at = coalesce(head.deleted_at, excluded.deleted_at), has_webhook_queues = false, is_due = false`,
    [advance.ownerId, advance.accountId, advance.kind, now],
  )
}

/** Channel numbers are never reused: leftover rows of a deleted channel must not appear in a new one. */
export async function takeChannelNo(
  tx: Tx,
  { ownerId, accountId, kind }: HeadName,
): Promise<{ readonly channel: number; readonly lastNo: number } | null> {
  const [row] = await runStatement<{ channel: number; lastNo: number }>(
    tx,
    `insert into feed.head as head (owner_id, account_id, kind, last_no, last_channel) values ($1, $2, $3, 0, 1)
    on conflict (owner_id) do update set last_channel = head.last_channel + 1 where head.deleted_at is null
    returning last_channel as channel, last_no as "lastNo"`,
    [ownerId, accountId, kind],
  )
  return row ?? null
}

/** Answers the last number, which cannot change until the transaction ends; null for a missing feed. */
export async function lockHead(tx: Tx, ownerId: OwnerId): Promise<number | null> {
  const [row] = await runStatement<{ lastNo: number }>(
    tx,
    'select last_no as "lastNo" from feed.head where owner_id = $1 and deleted_at is null for update',
    [ownerId],
  )
  return row?.lastNo ?? null
}

/** Workers skip feeds without webhook queues when these grow. */
export async function markWebhookQueues(tx: Tx, ownerId: OwnerId): Promise<void> {
  await runStatement(
    tx,
    `update feed.head set has_webhook_queues = exists (
      select from feed.channel c where c.owner_id = $1 and c.webhook_id is not null)
    where owner_id = $1`,
    [ownerId],
  )
}

/** Locks the heads of an account's services that have webhook queues, in the common order. */
export async function lockHeadsOf(tx: Tx, accountId: UserId): Promise<readonly HeadFacts[]> {
  return runStatement<HeadFacts & Record<string, unknown>>(
    tx,
    `select owner_id as "serviceId", account_id as "companyId", last_no as "lastNo" from feed.head
    where account_id = $1 and has_webhook_queues order by owner_id for update`,
    [accountId],
  )
}

const TAKE_DUE = `
with following as (
  select owner_id from feed.head where is_due and owner_id > $2 order by owner_id limit $1 for update skip locked),
wrapped as (
  select owner_id from feed.head where is_due and owner_id <= $2 order by owner_id
  limit $1 - (select count(*) from following) for update skip locked)
update feed.head set is_due = false
where owner_id = any(array(select owner_id from following union all select owner_id from wrapped))
returning owner_id as "serviceId"`

const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Clears the mark of feeds that grew and answers their services: those after `after` in the order of ids, then those
 * before it. A worker that continues from the last service reaches all of them, and busy services delay none.
 */
export async function takeDueHeads(tx: Tx, limit: number, after: ServiceId | null): Promise<readonly ServiceId[]> {
  const rows = await runStatement<{ serviceId: ServiceId }>(tx, TAKE_DUE, [limit, after ?? FIRST])
  const taken = rows.map(({ serviceId }) => serviceId).toSorted()
  const start = taken.findIndex((serviceId) => after !== null && serviceId > after)
  return start === -1 ? taken : [...taken.slice(start), ...taken.slice(0, start)]
}

export interface HeadFacts {
  readonly serviceId: ServiceId
  readonly companyId: UserId
  readonly lastNo: number
}

const FACTS = `select owner_id as "serviceId", account_id as "companyId", last_no as "lastNo" from feed.head
where owner_id = any($1::uuid[])`

export async function readHeads(
  read: Read,
  services: readonly ServiceId[],
): Promise<ReadonlyMap<ServiceId, HeadFacts>> {
  if (services.length === 0) return new Map()
  const rows = await runStatement<HeadFacts & Record<string, unknown>>(read, FACTS, [services])
  return new Map(rows.map((facts) => [facts.serviceId, facts]))
}
