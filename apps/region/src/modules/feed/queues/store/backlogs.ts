import type { Instant, ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import { type Read, runStatement } from '@sealpost/postgres'
import type { QueueKey } from '../../model.ts'
import { QUEUE_COLUMNS, type QueueRow } from './queues.ts'
import { IS_SUBSCRIBED } from './subscriptions.ts'

export interface Backlog {
  readonly lastNo: number
  readonly backlogCount: number
  readonly backlogOldestAt: Instant | null
  /** Expired events beyond the cursor that are not collapsed into a later event. */
  readonly purgedCount: number
  /** All numbers up to here are expired or were never subscribed to. */
  readonly purgedTo: number
}

/** Reads the pending events of one queue and no other rows. */
const COUNTED = `
left join lateral (
  select count(*) filter (where e.is_visible and e.is_latest) as "backlogCount",
    round(extract(epoch from min(e.at) filter (where e.is_visible and e.is_latest)) * 1000)::float8 as "backlogOldestAt",
    count(*) filter (where not e.is_visible and e.is_latest) as "purgedCount",
    coalesce(min(e.no) filter (where e.is_visible) - 1, least(c.parked_to, head.last_no)) as "purgedTo"
  from (
    select e.no, e.at, e.at > to_timestamp($2 / 1000.0) as is_visible,
      e.no <= c.replay_to or e.key is null or lead(e.no) over (partition by e.key order by e.no) is null as is_latest
    from feed.event e
    where e.owner_id = c.owner_id and e.no > c.cursor and (c.parked_to is null or c.parked_to > c.cursor)
      and ${IS_SUBSCRIBED}) as e
  where not e.no <@ c.gone and (c.parked_to is null or e.no <= c.parked_to)) as backlog on true`

const COUNT_OF = `
select ${QUEUE_COLUMNS}, head.last_no as "lastNo", backlog.*
from feed.channel c join feed.head head on head.owner_id = c.owner_id ${COUNTED}
where c.owner_id = $1 and head.account_id = $3 and c.webhook_id is not null and ($4::uuid is null or c.webhook_id = $4)
order by c.no`

export async function readBacklogsOf(
  read: Read,
  { companyId, serviceId, webhookId }: { companyId: UserId; serviceId: ServiceId; webhookId: string | null },
  visibleFrom: Instant,
): Promise<readonly (QueueRow & Backlog)[]> {
  return runStatement<QueueRow & Backlog>(read, COUNT_OF, [serviceId, visibleFrom, companyId, webhookId])
}

const COUNT_AT = `
select c.owner_id as "serviceId", c.no as channel, head.account_id as "companyId", head.last_no as "lastNo", backlog.*
from unnest($1::uuid[], $3::int[]) as wanted (owner_id, no)
join feed.channel c on c.owner_id = wanted.owner_id and c.no = wanted.no
join feed.head head on head.owner_id = c.owner_id ${COUNTED}`

export async function readBacklogs(
  read: Read,
  keys: readonly QueueKey[],
  visibleFrom: Instant,
): Promise<readonly (QueueKey & Backlog & { readonly companyId: UserId })[]> {
  const values = [keys.map(({ serviceId }) => serviceId), visibleFrom, keys.map(({ channel }) => channel)]
  return runStatement(read, COUNT_AT, values)
}

export interface StoppedQueue {
  readonly serviceId: ServiceId
  readonly webhookId: WebhookId
  readonly isPaused: boolean
  readonly since: Instant
}

/** Enabled webhooks that are parked or that the company has paused. `since`: the last change of state. */
export function listStoppedQueues(
  read: Read,
  services: readonly ServiceId[],
  limit: number,
): Promise<readonly StoppedQueue[]> {
  return runStatement<StoppedQueue & Record<string, unknown>>(
    read,
    `select c.owner_id as "serviceId", c.webhook_id as "webhookId", c.is_paused as "isPaused",
      round(extract(epoch from c.since) * 1000)::float8 as since
    from feed.channel c
    where c.owner_id = any($1::uuid[]) and c.webhook_id is not null and c.is_enabled and not c.is_suspended
      and (c.is_paused or c.state = 'bad')
    order by c.since nulls last limit $2`,
    [services, limit],
  )
}

export interface OldBacklog {
  readonly serviceId: ServiceId
  /** Null for what a data client drains. */
  readonly webhookId: WebhookId | null
  /** The time of the oldest event that waits. */
  readonly since: Instant
}

/** The first pending event of each queue only: nothing is counted. */
const OLD = `
select c.owner_id as "serviceId", c.webhook_id as "webhookId",
  round(extract(epoch from first.at) * 1000)::float8 as since
from feed.channel c cross join lateral (
  select e.at from feed.event e
  where e.owner_id = c.owner_id and e.no > c.cursor and e.at > to_timestamp($2 / 1000.0) and not e.no <@ c.gone
    and (c.webhook_id is null or ${IS_SUBSCRIBED})
  order by e.no limit 1) as first
where c.owner_id = any($1::uuid[]) and first.at < to_timestamp($3 / 1000.0) and not c.is_suspended
order by first.at limit $4`

export function findOldBacklogs(
  read: Read,
  services: readonly ServiceId[],
  { visibleFrom, before }: { readonly visibleFrom: Instant; readonly before: Instant },
  limit: number,
): Promise<readonly OldBacklog[]> {
  return runStatement<OldBacklog & Record<string, unknown>>(read, OLD, [services, visibleFrom, before, limit])
}

const COUNT_AFTER_REPLAY = `
select count(*)::float8 as count from feed.channel c join feed.event e on e.owner_id = c.owner_id
where c.owner_id = $1 and c.no = $2 and e.no > least(c.cursor, $3::bigint) and e.at > to_timestamp($4 / 1000.0)
  and (e.no > $3 and (c.kinds is null or e.kind = any(c.kinds))
    or e.no > c.cursor and not e.no <@ c.gone and ${IS_SUBSCRIBED})`

/** The pending events if all events after a number are replayed; replayed events are not collapsed. */
export async function countAfterReplay(
  read: Read,
  { serviceId, channel }: QueueKey,
  after: number,
  visibleFrom: Instant,
): Promise<number> {
  const [row] = await runStatement<{ count: number }>(read, COUNT_AFTER_REPLAY, [
    serviceId,
    channel,
    after,
    visibleFrom,
  ])
  return row?.count ?? 0
}

const MEASURE = `
select coalesce(sum(least(coalesce(c.parked_to, head.last_no), head.last_no) - c.cursor)
    filter (where coalesce(c.parked_to, head.last_no) > c.cursor), 0)::float8 as "parkedCount",
  round(extract(epoch from min(next.at)) * 1000)::float8 as "oldestPendingAt"
from feed.channel c join feed.head head on head.owner_id = c.owner_id
left join lateral (
  select e.at from feed.event e
  where e.owner_id = c.owner_id and e.no > c.cursor and e.at > to_timestamp($1 / 1000.0)
  order by e.no limit 1) as next on true
where c.webhook_id is not null and c.cursor < head.last_no and c.is_enabled and not c.is_suspended`

export interface QueueMeasure {
  /** Numbers in backlogs, including events that are collapsed or not subscribed to. */
  readonly parkedCount: number
  readonly oldestPendingAt: Instant | null
}

export async function measure(read: Read, visibleFrom: Instant): Promise<QueueMeasure> {
  const [row] = await runStatement<QueueMeasure & Record<string, unknown>>(read, MEASURE, [visibleFrom])
  return row ?? { parkedCount: 0, oldestPendingAt: null }
}
