import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement } from '@sealpost/postgres'
import { OUTLET_COLUMNS, type OutletPlace, type OutletRow } from './outlets.ts'
import { IS_TAKEN } from './subscriptions.ts'

export interface Backlog {
  readonly lastNo: number
  readonly backlogCount: number
  readonly backlogOldestAt: Instant | null
  /** Too old, and neither passed over yet nor told by a later event of their key. */
  readonly purgedCount: number
  /** Everything up to here is too old or was never taken. */
  readonly purgedTo: number
}

/** All of one outlet's own events that wait, and nothing of anybody else's. */
const COUNTED = `
left join lateral (
  select count(*) filter (where e.is_visible and e.is_told) as "backlogCount",
    round(extract(epoch from min(e.at) filter (where e.is_visible and e.is_told)) * 1000)::float8 as "backlogOldestAt",
    count(*) filter (where not e.is_visible and e.is_told) as "purgedCount",
    coalesce(min(e.no) filter (where e.is_visible) - 1, least(c.parked_to, head.last_no)) as "purgedTo"
  from (
    select e.no, e.at, e.at > to_timestamp($2 / 1000.0) as is_visible,
      e.no <= c.replay_to or e.key is null or lead(e.no) over (partition by e.key order by e.no) is null as is_told
    from feed.event e
    where e.owner_id = c.owner_id and e.no > c.cursor and (c.parked_to is null or c.parked_to > c.cursor)
      and ${IS_TAKEN}) as e
  where not e.no <@ c.gone and (c.parked_to is null or e.no <= c.parked_to)) as backlog on true`

const COUNT_OF = `
select ${OUTLET_COLUMNS}, head.last_no as "lastNo", backlog.*
from feed.channel c join feed.head head on head.owner_id = c.owner_id ${COUNTED}
where c.owner_id = $1 and head.account_id = $3 and c.webhook_id is not null and ($4::uuid is null or c.webhook_id = $4)
order by c.no`

export async function readBacklogsOf(
  read: Read,
  { companyId, serviceId, webhookId }: { companyId: UserId; serviceId: ServiceId; webhookId: string | null },
  visibleFrom: Instant,
): Promise<readonly (OutletRow & Backlog)[]> {
  return runStatement<OutletRow & Backlog>(read, COUNT_OF, [serviceId, visibleFrom, companyId, webhookId])
}

const COUNT_AT = `
select c.owner_id as "serviceId", c.no as channel, head.account_id as "companyId", head.last_no as "lastNo", backlog.*
from unnest($1::uuid[], $3::int[]) as place (owner_id, no)
join feed.channel c on c.owner_id = place.owner_id and c.no = place.no
join feed.head head on head.owner_id = c.owner_id ${COUNTED}`

export async function readBacklogs(
  read: Read,
  places: readonly OutletPlace[],
  visibleFrom: Instant,
): Promise<readonly (OutletPlace & Backlog & { readonly companyId: UserId })[]> {
  const values = [places.map(({ serviceId }) => serviceId), visibleFrom, places.map(({ channel }) => channel)]
  return runStatement(read, COUNT_AT, values)
}

const COUNT_AGAIN = `
select count(*)::float8 as count from feed.channel c join feed.event e on e.owner_id = c.owner_id
where c.owner_id = $1 and c.no = $2 and e.no > least(c.cursor, $3::bigint) and e.at > to_timestamp($4 / 1000.0)
  and (e.no > $3 and (c.kinds is null or e.kind = any(c.kinds))
    or e.no > c.cursor and not e.no <@ c.gone and ${IS_TAKEN})`

/** What waits once everything behind a number is sent again; nothing of that is collapsed. */
export async function countAgain(
  read: Read,
  { serviceId, channel }: OutletPlace,
  after: number,
  visibleFrom: Instant,
): Promise<number> {
  const [row] = await runStatement<{ count: number }>(read, COUNT_AGAIN, [serviceId, channel, after, visibleFrom])
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

export interface OutletMeasure {
  /** Numbers of backlogs, also of events that turn out to be collapsed or not taken. */
  readonly parkedCount: number
  readonly oldestPendingAt: Instant | null
}

export async function measure(read: Read, visibleFrom: Instant): Promise<OutletMeasure> {
  const [row] = await runStatement<OutletMeasure & Record<string, unknown>>(read, MEASURE, [visibleFrom])
  return row ?? { parkedCount: 0, oldestPendingAt: null }
}
