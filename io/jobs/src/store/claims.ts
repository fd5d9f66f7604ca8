import type { Instant } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'

/** A job in the hands of this process. */
export interface ClaimedJob {
  readonly id: string
  readonly queue: string
  readonly kind: string
  readonly tenantId: string
  readonly key: string | null
  readonly payload: unknown
  readonly cursor: unknown
  readonly done: number
  readonly total: number | null
  readonly attempts: number
  readonly enqueuedAt: Instant
  /** The fencing token. */
  readonly lease: number
}

export interface Claim {
  readonly queue: string
  readonly kinds: readonly string[]
  /** How many at most, and how many of one tenant. */
  readonly room: number
  readonly share: number
  /** Tenants take turns in the order of their ids: the next after this one is first. */
  readonly afterTenant: string
  readonly exceptTenants: readonly string[]
  readonly leaseMs: number
  readonly worker: string
}

/**
 * [Note: tenants take turns] `turn` goes from tenant to tenant by the index, from the last one served to the end and on from the
 * beginning: a claim costs as many probes as it takes jobs, however many jobs one tenant has waiting.
 * [Note: leases by the database's clock]
 */
const CLAIM = `
with recursive turn (tenant_id, is_wrapped, place) as (
  select $2::uuid, false, 0
  union all
  select n.tenant_id, n.is_wrapped, turn.place + 1 from turn cross join lateral (
    (select j.tenant_id, turn.is_wrapped from jobs.job j
      where j.queue = $1 and j.state = 'waiting' and j.tenant_id > turn.tenant_id order by j.tenant_id limit 1)
    union all
    (select j.tenant_id, true from jobs.job j
      where not turn.is_wrapped and j.queue = $1 and j.state = 'waiting' order by j.tenant_id limit 1)
    limit 1
  ) n (tenant_id, is_wrapped)
  where not (n.is_wrapped and n.tenant_id > $2)
), chosen as (
  select due.id, turn.place from turn cross join lateral (
    select j.id from jobs.job j
    where j.queue = $1 and j.state = 'waiting' and j.tenant_id = turn.tenant_id and j.kind = any($3::text[])
    order by j.due_at, j.no limit $5 for update skip locked
  ) due
  where turn.place > 0 and turn.tenant_id <> all($6::uuid[])
  limit $4
)
update jobs.job j
set state = 'running', attempts = j.attempts + 1, lease = j.lease + 1, worker = $8,
  lease_until = clock_timestamp() + $7 * interval '1 millisecond'
from chosen where j.id = chosen.id
returning j.id, j.queue, j.kind, j.tenant_id as "tenantId", j.key, j.payload, j.cursor, j.done, j.total, j.attempts,
  round(extract(epoch from j.enqueued_at) * 1000)::float8 as "enqueuedAt", j.lease, chosen.place`

interface ClaimedRow extends ClaimedJob {
  readonly [column: string]: unknown
  readonly place: number
}

/** In the order of their tenants' turns. */
export async function claimJobs(tx: Tx, claim: Claim): Promise<readonly ClaimedJob[]> {
  const { queue, afterTenant, kinds, room, share, exceptTenants, leaseMs, worker } = claim
  const values = [queue, afterTenant, kinds, room, share, exceptTenants, leaseMs, worker]
  const rows = await runStatement<ClaimedRow>(tx, CLAIM, values)
  return rows.toSorted((one, other) => one.place - other.place)
}

const PROMOTE = `
update jobs.job set state = 'waiting' where id in (
  select id from jobs.job where state = 'delayed' and due_at <= to_timestamp($1 / 1000.0)
  order by due_at limit $2 for update skip locked)
returning queue`

/** Delayed jobs that are due by now can be claimed. Answers the queues of those that were found, one entry for each. */
export async function promoteDelayed(tx: Tx, now: Instant, limit: number): Promise<readonly string[]> {
  const rows = await runStatement<{ queue: string }>(tx, PROMOTE, [now, limit])
  return rows.map(({ queue }) => queue)
}

export interface LapsedJob {
  readonly id: string
  readonly kind: string
  readonly attempts: number
}

/** Jobs whose worker has given no sign of life for the whole lease; locked until the transaction ends. */
export async function lockLapsed(tx: Tx, kinds: readonly string[], limit: number): Promise<readonly LapsedJob[]> {
  return runStatement<LapsedJob & Record<string, unknown>>(
    tx,
    `select id, kind, attempts from jobs.job
    where state = 'running' and lease_until < clock_timestamp() and kind = any($1::text[])
    limit $2 for update skip locked`,
    [kinds, limit],
  )
}

const RENEW = `
update jobs.job j set lease_until = clock_timestamp() + held.ms * interval '1 millisecond'
from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as held (id, lease, ms)
where j.id = held.id and j.lease = held.lease and j.state = 'running'
returning j.id`

/** Answers the ids of those that are still held. */
export async function renewLeases(
  tx: Tx,
  held: readonly { readonly id: string; readonly lease: number; readonly leaseMs: number }[],
): Promise<ReadonlySet<string>> {
  const rows = await runStatement<{ id: string }>(tx, RENEW, [
    held.map(({ id }) => id),
    held.map(({ lease }) => lease),
    held.map(({ leaseMs }) => leaseMs),
  ])
  return new Set(rows.map(({ id }) => id))
}
