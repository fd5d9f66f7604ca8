import type { Instant, ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { QueueKey } from '../../model.ts'
import { END, formatRanges, parseRanges } from '../../rules/ranges.ts'
import type { WebhookName, WebhookQueue } from '../model.ts'
import { CHECK_FIRST_MS } from '../rules/machine.ts'

/** The key as text, for maps. */
export function keyOf({ serviceId, channel }: QueueKey): string {
  return `${serviceId} ${channel}`
}

/** A queue as it was when its row was locked. */
export interface LockedQueue extends QueueKey {
  readonly webhookId: WebhookId
  /** Null subscribes to every kind. */
  readonly kinds: readonly string[] | null
  /** The lease has ended without a report, by the clock of the database. */
  readonly isLapsed: boolean
  /** The rest of the lease; 0 without one. */
  readonly leasedForMs: number
  readonly queue: WebhookQueue
}

const ms = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`

export const QUEUE_COLUMNS = `c.owner_id as "serviceId", c.no as channel, c.webhook_id as "webhookId", c.kinds,
  c.cursor, c.gone::text as gone, c.parked_to as "parkedTo", c.replay_to as "replayTo", c.state,
  ${ms('c.since')} as since, c.is_enabled as "isEnabled", c.is_paused as "isPaused",
  c.is_suspended as "isSuspended", ${ms('c.due_at')} as "dueAt", c.lease_until is not null as "isLeased",
  ${ms('c.lease_until')} as "leaseUntil",
  coalesce(c.lease_until <= clock_timestamp(), false) as "isLapsed",
  coalesce(${ms('(c.lease_until - clock_timestamp())')}, 0) as "leasedForMs", c.token, c.epoch,
  c.retry_epoch as "retryEpoch", ${ms('c.alert_at')} as "alertAt", ${ms('c.purged_at')} as "purgedAt"`

export interface QueueRow extends Omit<WebhookQueue, 'gone' | 'parkedTo'>, QueueKey {
  readonly webhookId: WebhookId
  readonly kinds: readonly string[] | null
  readonly isLapsed: boolean
  readonly leasedForMs: number
  readonly leaseUntil: Instant | null
  readonly gone: string
  readonly parkedTo: number | null
}

export function queueOf(row: QueueRow): LockedQueue {
  const {
    serviceId,
    channel,
    webhookId,
    kinds,
    isLapsed,
    leasedForMs,
    leaseUntil: _until,
    gone,
    parkedTo,
    ...rest
  } = row
  const queue = { ...rest, gone: gone === '{}' ? [] : parseRanges(gone), parkedTo: parkedTo ?? END }
  return { serviceId, channel, webhookId, kinds, isLapsed, leasedForMs: Math.max(0, leasedForMs), queue }
}

const LOCK_AT = `
select ${QUEUE_COLUMNS} from unnest($1::uuid[], $2::int[]) as wanted (owner_id, no)
join feed.channel c on c.owner_id = wanted.owner_id and c.no = wanted.no and c.webhook_id is not null
order by c.owner_id, c.no for update of c`

/** In the common lock order. */
export async function lockQueues(tx: Tx, keys: readonly QueueKey[]): Promise<readonly LockedQueue[]> {
  const values = [keys.map(({ serviceId }) => serviceId), keys.map(({ channel }) => channel)]
  return (await runStatement<QueueRow>(tx, LOCK_AT, values)).map(queueOf)
}

const READ_NAMED = `select ${QUEUE_COLUMNS} from feed.channel c where c.owner_id = $1 and c.webhook_id = $2`
const LOCK_NAMED = `${READ_NAMED} for update`

type QueueName = Pick<WebhookName, 'serviceId' | 'webhookId'>

export async function lockQueue(tx: Tx, { serviceId, webhookId }: QueueName): Promise<LockedQueue | null> {
  const [row] = await runStatement<QueueRow>(tx, LOCK_NAMED, [serviceId, webhookId])
  return row === undefined ? null : queueOf(row)
}

/** Without a lock: the row may change at once. */
export async function readQueue(read: Read, { serviceId, webhookId }: QueueName): Promise<LockedQueue | null> {
  const [row] = await runStatement<QueueRow>(read, READ_NAMED, [serviceId, webhookId])
  return row === undefined ? null : queueOf(row)
}

const OF_COMPANY = `
select ${QUEUE_COLUMNS} from feed.head head
join feed.channel c on c.owner_id = head.owner_id and c.webhook_id is not null
where head.account_id = $1 and head.has_webhook_queues`

export async function readQueuesOfCompany(read: Read, companyId: UserId): Promise<readonly LockedQueue[]> {
  return (await runStatement<QueueRow>(read, OF_COMPANY, [companyId])).map(queueOf)
}

const LOCK_ALL = `
select ${QUEUE_COLUMNS} from feed.channel c where c.owner_id = any($1::uuid[]) and c.webhook_id is not null
order by c.owner_id, c.no for update`

/** Waits for a worker that releases one of them: see [Note: finding work]. */
export async function lockQueuesOf(tx: Tx, services: readonly ServiceId[]): Promise<readonly LockedQueue[]> {
  return (await runStatement<QueueRow>(tx, LOCK_ALL, [services])).map(queueOf)
}

/** Finds the services of full companies once; a condition per queue would cost a read of its head. */
const IS_NOT_FULL = `c.owner_id not in (
  select owner_id from feed.head where account_id = any($5::uuid[]) and has_webhook_queues)`

const LOCK_DUE = `
with live as (
  select c.* from feed.channel c
  where c.state = 'running' and c.due_at <= to_timestamp($1 / 1000.0) and c.lease_until is null and ${IS_NOT_FULL}
  order by c.due_at limit $2 for update skip locked),
probes as (
  select c.* from feed.channel c
  where c.state in ('bad', 'unknown') and c.due_at <= to_timestamp($1 / 1000.0) and c.lease_until is null
    and (c.state <> 'bad' or c.alert_at is null or c.alert_at > to_timestamp($1 / 1000.0)
      or c.alert_at <= to_timestamp(($1 - $4) / 1000.0))
  order by c.due_at limit $3 for update skip locked),
lapsed_live as (
  select c.* from feed.channel c where c.lease_until <= clock_timestamp() and c.state = 'running'
    and ${IS_NOT_FULL}
  order by c.lease_until limit $2 for update skip locked),
lapsed_probes as (
  select c.* from feed.channel c where c.lease_until <= clock_timestamp() and c.state in ('bad', 'unknown')
  order by c.lease_until limit $3 for update skip locked)
select ${QUEUE_COLUMNS}
from (select * from lapsed_live union all select * from lapsed_probes
  union all select * from live union all select * from probes) as c`

export interface ClaimLimits {
  /** Free slots for running queues. */
  readonly live: number
  /** Free slots for queues that are probed. */
  readonly probes: number
}

/**
 * Queues whose lease has lapsed, then queues that are due, the longest waiting first; of full companies only probes.
 * Skips locked rows.
 */
export async function lockDueQueues(
  tx: Tx,
  now: Instant,
  { live, probes }: ClaimLimits,
  fullCompanies: readonly UserId[],
): Promise<readonly LockedQueue[]> {
  return (await runStatement<QueueRow>(tx, LOCK_DUE, [now, live, probes, CHECK_FIRST_MS, fullCompanies])).map(queueOf)
}

const ANY_DUE = `
select exists (select from feed.head where is_due)
  or exists (select from feed.channel
    where state in ('running', 'bad', 'unknown') and due_at <= to_timestamp($1 / 1000.0) and lease_until is null)
  or exists (select from feed.channel where lease_until <= clock_timestamp()) as "isAny"`

/** Whether a claim could find anything. */
export async function isAnyDue(read: Read, now: Instant): Promise<boolean> {
  const [row] = await runStatement<{ isAny: boolean }>(read, ANY_DUE, [now])
  return row?.isAny === true
}

const LOCK_DUE_ALERTS = `
select ${QUEUE_COLUMNS} from feed.channel c
where c.alert_at <= to_timestamp($1 / 1000.0) and c.lease_until is null
order by c.alert_at limit $2 for update skip locked`

export async function lockDueAlerts(tx: Tx, now: Instant, limit: number): Promise<readonly LockedQueue[]> {
  return (await runStatement<QueueRow>(tx, LOCK_DUE_ALERTS, [now, limit])).map(queueOf)
}

export interface QueueWrite extends QueueKey {
  readonly queue: WebhookQueue
  /** Seconds from now for a new or longer lease; null leaves it as it is. */
  readonly leaseSeconds: number | null
}

const WRITE = `
update feed.channel c set cursor = o.cursor, gone = o.gone::int8multirange, parked_to = o."parkedTo",
  replay_to = o."replayTo", state = o.state, since = to_timestamp(o.since / 1000.0), is_enabled = o."isEnabled",
  is_paused = o."isPaused", is_suspended = o."isSuspended", due_at = to_timestamp(o."dueAt" / 1000.0),
  lease_until = case when not o."isLeased" then null when o."leaseSeconds" is null then c.lease_until
    else clock_timestamp() + make_interval(secs => o."leaseSeconds") end,
  token = o.token, epoch = o.epoch, retry_epoch = o."retryEpoch", alert_at = to_timestamp(o."alertAt" / 1000.0),
  purged_at = to_timestamp(o."purgedAt" / 1000.0)
from jsonb_to_recordset($1::jsonb) as o ("serviceId" uuid, channel int, cursor bigint, gone text, "parkedTo" bigint,
  "replayTo" bigint, state text, since float8, "isEnabled" boolean, "isPaused" boolean, "isSuspended" boolean,
  "dueAt" float8, "isLeased" boolean, "leaseSeconds" float8, token int, epoch int, "retryEpoch" int, "alertAt" float8,
  "purgedAt" float8)
where c.owner_id = o."serviceId" and c.no = o.channel`

/** The caller has locked the rows. */
export async function writeQueues(tx: Tx, writes: readonly QueueWrite[]): Promise<void> {
  if (writes.length === 0) return
  const rows = writes.map(({ serviceId, channel, leaseSeconds, queue }) => ({
    ...queue,
    serviceId,
    channel,
    leaseSeconds,
    gone: formatRanges(queue.gone),
    parkedTo: queue.parkedTo === END ? null : queue.parkedTo,
  }))
  await runStatement(tx, WRITE, [JSON.stringify(rows)])
}

const MOVE = `
update feed.channel c set cursor = o.cursor from unnest($1::uuid[], $2::int[], $3::bigint[]) as o (owner_id, no, cursor)
where c.owner_id = o.owner_id and c.no = o.no`

/** Most deliveries change only the cursor, which is in no index. */
export async function moveCursors(tx: Tx, moves: readonly QueueWrite[]): Promise<void> {
  if (moves.length === 0) return
  const keys = [moves.map(({ serviceId }) => serviceId), moves.map(({ channel }) => channel)]
  await runStatement(tx, MOVE, [...keys, moves.map(({ queue }) => queue.cursor)])
}

export async function insertQueue(
  tx: Tx,
  { serviceId, webhookId }: WebhookName,
  fresh: { readonly channel: number; readonly kinds: readonly string[] | null; readonly now: Instant },
): Promise<void> {
  await runStatement(
    tx,
    `insert into feed.channel (owner_id, no, cursor, used_at, webhook_id, kinds, since)
    values ($1, $2, 0, to_timestamp($5 / 1000.0), $3, $4, to_timestamp($5 / 1000.0))`,
    [serviceId, fresh.channel, webhookId, fresh.kinds, fresh.now],
  )
}

export async function writeKinds(tx: Tx, key: QueueKey, kinds: readonly string[] | null): Promise<void> {
  const sql = 'update feed.channel set kinds = $3 where owner_id = $1 and no = $2'
  await runStatement(tx, sql, [key.serviceId, key.channel, kinds])
}

export async function deleteQueueRow(tx: Tx, { serviceId, channel }: QueueKey): Promise<void> {
  await runStatement(tx, 'delete from feed.channel where owner_id = $1 and no = $2', [serviceId, channel])
}
