import type { Instant, ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { OutletName } from '../outlets/contract.ts'
import { END, LOOK_FIRST_MS, type Outlet } from '../outlets/machine.ts'
import { formatRanges, parseRanges } from '../ranges.ts'

/** Where an outlet's row lies. */
export interface OutletPlace {
  readonly serviceId: ServiceId
  readonly channel: number
}

/** An outlet as it was when its row was locked. */
export interface LockedOutlet extends OutletPlace {
  readonly webhookId: WebhookId
  /** Null takes every kind. */
  readonly kinds: readonly string[] | null
  /** The lease is there and over, by the clock of the database. */
  readonly isLapsed: boolean
  /** Of the lease, for as long as it lasts. */
  readonly leasedForMs: number
  readonly outlet: Outlet
}

const ms = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`

export const OUTLET_COLUMNS = `c.owner_id as "serviceId", c.no as channel, c.webhook_id as "webhookId", c.kinds,
  c.cursor, c.gone::text as gone, c.parked_to as "parkedTo", c.replay_to as "replayTo", c.state,
  ${ms('c.since')} as since, c.is_enabled as "isEnabled", c.is_paused as "isPaused",
  c.is_suspended as "isSuspended", ${ms('c.due_at')} as "dueAt", c.lease_until is not null as "isLeased",
  ${ms('c.lease_until')} as "leaseUntil",
  coalesce(c.lease_until <= clock_timestamp(), false) as "isLapsed",
  coalesce(${ms('(c.lease_until - clock_timestamp())')}, 0) as "leasedForMs", c.token, c.epoch,
  c.asked_epoch as "askedEpoch", ${ms('c.alert_at')} as "alertAt", ${ms('c.purged_at')} as "purgedAt"`

export interface OutletRow extends Omit<Outlet, 'gone' | 'parkedTo'>, OutletPlace {
  readonly webhookId: WebhookId
  readonly kinds: readonly string[] | null
  readonly isLapsed: boolean
  readonly leasedForMs: number
  readonly leaseUntil: Instant | null
  readonly gone: string
  readonly parkedTo: number | null
}

export function outletOf(row: OutletRow): LockedOutlet {
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
  const outlet = { ...rest, gone: gone === '{}' ? [] : parseRanges(gone), parkedTo: parkedTo ?? END }
  return { serviceId, channel, webhookId, kinds, isLapsed, leasedForMs: Math.max(0, leasedForMs), outlet }
}

const LOCK_AT = `
select ${OUTLET_COLUMNS} from unnest($1::uuid[], $2::int[]) as place (owner_id, no)
join feed.channel c on c.owner_id = place.owner_id and c.no = place.no and c.webhook_id is not null
order by c.owner_id, c.no for update of c`

/** In the order in which everybody locks them. */
export async function lockOutlets(tx: Tx, places: readonly OutletPlace[]): Promise<readonly LockedOutlet[]> {
  const values = [places.map(({ serviceId }) => serviceId), places.map(({ channel }) => channel)]
  return (await runStatement<OutletRow>(tx, LOCK_AT, values)).map(outletOf)
}

const NAMED = `select ${OUTLET_COLUMNS} from feed.channel c where c.owner_id = $1 and c.webhook_id = $2`
const LOCK_NAMED = `${NAMED} for update`

type Named = Pick<OutletName, 'serviceId' | 'webhookId'>

export async function lockOutlet(tx: Tx, { serviceId, webhookId }: Named): Promise<LockedOutlet | null> {
  const [row] = await runStatement<OutletRow>(tx, LOCK_NAMED, [serviceId, webhookId])
  return row === undefined ? null : outletOf(row)
}

/** As it is now, which may be over at once. */
export async function readOutlet(read: Read, { serviceId, webhookId }: Named): Promise<LockedOutlet | null> {
  const [row] = await runStatement<OutletRow>(read, NAMED, [serviceId, webhookId])
  return row === undefined ? null : outletOf(row)
}

const OF_COMPANY = `
select ${OUTLET_COLUMNS} from feed.head head
join feed.channel c on c.owner_id = head.owner_id and c.webhook_id is not null
where head.account_id = $1 and head.has_outlets`

export async function readOutletsOfCompany(read: Read, companyId: UserId): Promise<readonly LockedOutlet[]> {
  return (await runStatement<OutletRow>(read, OF_COMPANY, [companyId])).map(outletOf)
}

const LOCK_ALL = `
select ${OUTLET_COLUMNS} from feed.channel c where c.owner_id = any($1::uuid[]) and c.webhook_id is not null
order by c.owner_id, c.no for update`

/** Waits for whoever is letting one of them go: see [Note: finding work]. */
export async function lockOutletsOf(tx: Tx, services: readonly ServiceId[]): Promise<readonly LockedOutlet[]> {
  return (await runStatement<OutletRow>(tx, LOCK_ALL, [services])).map(outletOf)
}

/** The services of a company are found once; asked of each outlet, its company would cost a look at the head. */
const IS_OPEN_TO = `c.owner_id not in (
  select owner_id from feed.head where account_id = any($5::uuid[]) and has_outlets)`

const LOCK_DUE = `
with live as (
  select c.* from feed.channel c
  where c.state = 'running' and c.due_at <= to_timestamp($1 / 1000.0) and c.lease_until is null and ${IS_OPEN_TO}
  order by c.due_at limit $2 for update skip locked),
probes as (
  select c.* from feed.channel c
  where c.state in ('bad', 'unknown') and c.due_at <= to_timestamp($1 / 1000.0) and c.lease_until is null
    and (c.state <> 'bad' or c.alert_at is null or c.alert_at > to_timestamp($1 / 1000.0)
      or c.alert_at <= to_timestamp(($1 - $4) / 1000.0))
  order by c.due_at limit $3 for update skip locked),
lapsed_live as (
  select c.* from feed.channel c where c.lease_until <= clock_timestamp() and c.state = 'running'
    and ${IS_OPEN_TO}
  order by c.lease_until limit $2 for update skip locked),
lapsed_probes as (
  select c.* from feed.channel c where c.lease_until <= clock_timestamp() and c.state in ('bad', 'unknown')
  order by c.lease_until limit $3 for update skip locked)
select ${OUTLET_COLUMNS}
from (select * from lapsed_live union all select * from lapsed_probes
  union all select * from live union all select * from probes) as c`

export interface Wanted {
  readonly live: number
  readonly probes: number
}

/**
 * Those whose holder has not been heard of, then those whose time has come, which wait for less long; of some companies
 * probes only. Waits for nobody.
 */
export async function lockDueOutlets(
  tx: Tx,
  now: Instant,
  { live, probes }: Wanted,
  without: readonly UserId[],
): Promise<readonly LockedOutlet[]> {
  return (await runStatement<OutletRow>(tx, LOCK_DUE, [now, live, probes, LOOK_FIRST_MS, without])).map(outletOf)
}

const ANY_DUE = `
select exists (select from feed.head where is_due)
  or exists (select from feed.channel
    where state in ('running', 'bad', 'unknown') and due_at <= to_timestamp($1 / 1000.0) and lease_until is null)
  or exists (select from feed.channel where lease_until <= clock_timestamp()) as "isAny"`

/** Whether it is worth locking anything. */
export async function isAnyDue(read: Read, now: Instant): Promise<boolean> {
  const [row] = await runStatement<{ isAny: boolean }>(read, ANY_DUE, [now])
  return row?.isAny === true
}

const LOCK_ALERTS = `
select ${OUTLET_COLUMNS} from feed.channel c
where c.alert_at <= to_timestamp($1 / 1000.0) and c.lease_until is null
order by c.alert_at limit $2 for update skip locked`

export async function lockAlerting(tx: Tx, now: Instant, limit: number): Promise<readonly LockedOutlet[]> {
  return (await runStatement<OutletRow>(tx, LOCK_ALERTS, [now, limit])).map(outletOf)
}

export interface OutletWrite extends OutletPlace {
  readonly outlet: Outlet
  /** Seconds from now for a new or longer lease; null leaves it as it is. */
  readonly leaseSeconds: number | null
}

const WRITE = `
update feed.channel c set cursor = o.cursor, gone = o.gone::int8multirange, parked_to = o."parkedTo",
  replay_to = o."replayTo", state = o.state, since = to_timestamp(o.since / 1000.0), is_enabled = o."isEnabled",
  is_paused = o."isPaused", is_suspended = o."isSuspended", due_at = to_timestamp(o."dueAt" / 1000.0),
  lease_until = case when not o."isLeased" then null when o."leaseSeconds" is null then c.lease_until
    else clock_timestamp() + make_interval(secs => o."leaseSeconds") end,
  token = o.token, epoch = o.epoch, asked_epoch = o."askedEpoch", alert_at = to_timestamp(o."alertAt" / 1000.0),
  purged_at = to_timestamp(o."purgedAt" / 1000.0)
from jsonb_to_recordset($1::jsonb) as o ("serviceId" uuid, channel int, cursor bigint, gone text, "parkedTo" bigint,
  "replayTo" bigint, state text, since float8, "isEnabled" boolean, "isPaused" boolean, "isSuspended" boolean,
  "dueAt" float8, "isLeased" boolean, "leaseSeconds" float8, token int, epoch int, "askedEpoch" int, "alertAt" float8,
  "purgedAt" float8)
where c.owner_id = o."serviceId" and c.no = o.channel`

/** Of locked rows only. */
export async function writeOutlets(tx: Tx, writes: readonly OutletWrite[]): Promise<void> {
  if (writes.length === 0) return
  const rows = writes.map(({ serviceId, channel, leaseSeconds, outlet }) => ({
    ...outlet,
    serviceId,
    channel,
    leaseSeconds,
    gone: formatRanges(outlet.gone),
    parkedTo: outlet.parkedTo === END ? null : outlet.parkedTo,
  }))
  await runStatement(tx, WRITE, [JSON.stringify(rows)])
}

const MOVE = `
update feed.channel c set cursor = o.cursor from unnest($1::uuid[], $2::int[], $3::bigint[]) as o (owner_id, no, cursor)
where c.owner_id = o.owner_id and c.no = o.no`

/** What nearly every delivery changes, and nothing else: no index has to know. */
export async function moveCursors(tx: Tx, moves: readonly OutletWrite[]): Promise<void> {
  if (moves.length === 0) return
  const places = [moves.map(({ serviceId }) => serviceId), moves.map(({ channel }) => channel)]
  await runStatement(tx, MOVE, [...places, moves.map(({ outlet }) => outlet.cursor)])
}

export async function insertOutlet(
  tx: Tx,
  { serviceId, webhookId }: OutletName,
  fresh: { readonly channel: number; readonly kinds: readonly string[] | null; readonly now: Instant },
): Promise<void> {
  await runStatement(
    tx,
    `insert into feed.channel (owner_id, no, cursor, used_at, webhook_id, kinds, since)
    values ($1, $2, 0, to_timestamp($5 / 1000.0), $3, $4, to_timestamp($5 / 1000.0))`,
    [serviceId, fresh.channel, webhookId, fresh.kinds, fresh.now],
  )
}

export async function writeKinds(tx: Tx, place: OutletPlace, kinds: readonly string[] | null): Promise<void> {
  const sql = 'update feed.channel set kinds = $3 where owner_id = $1 and no = $2'
  await runStatement(tx, sql, [place.serviceId, place.channel, kinds])
}

export async function deleteOutlet(tx: Tx, { serviceId, channel }: OutletPlace): Promise<void> {
  await runStatement(tx, 'delete from feed.channel where owner_id = $1 and no = $2', [serviceId, channel])
}

export async function findName(read: Read, webhookId: WebhookId): Promise<OutletName | null> {
  const [row] = await runStatement<{ companyId: UserId; serviceId: ServiceId }>(
    read,
    `select head.account_id as "companyId", c.owner_id as "serviceId"
    from feed.channel c join feed.head head on head.owner_id = c.owner_id where c.webhook_id = $1`,
    [webhookId],
  )
  return row === undefined ? null : { ...row, webhookId }
}
