import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import { unblockNext } from './keys.ts'

export interface DeadJob {
  readonly id: string
  readonly queue: string
  readonly kind: string
  readonly tenantId: string
  readonly key: string | null
  readonly attempts: number
  readonly done: number
  readonly total: number | null
  readonly failedAt: Instant
  readonly error: string
}

/** Newest failure first. */
export function listDead(read: Read, limit: number): Promise<readonly DeadJob[]> {
  return runStatement<DeadJob & Record<string, unknown>>(
    read,
    `select id, queue, kind, tenant_id as "tenantId", key, attempts, done, total, error,
      round(extract(epoch from failed_at) * 1000)::float8 as "failedAt"
    from jobs.job where state = 'dead' order by failed_at desc limit $1`,
    [limit],
  )
}

export interface QueueState {
  readonly queue: string
  readonly delayed: number
  readonly waiting: number
  readonly running: number
  readonly blocked: number
  readonly dead: number
  /** Since when the oldest of the waiting has been due; null when none waits. */
  readonly oldestDueAt: Instant | null
}

export function readQueues(read: Read): Promise<readonly QueueState[]> {
  return runStatement<QueueState & Record<string, unknown>>(
    read,
    `select queue, count(*) filter (where state = 'delayed') as delayed, count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'blocked') as blocked, count(*) filter (where state = 'dead') as dead,
      round(extract(epoch from min(due_at) filter (where state = 'waiting')) * 1000)::float8 as "oldestDueAt"
    from jobs.job group by queue order by queue`,
    [],
  )
}

/** Dead jobs, by their ids or all of a queue, are due again. Answers how many. */
export async function reviveJobs(
  tx: Tx,
  which: { readonly ids: readonly string[] } | { readonly queue: string },
  now: Instant,
): Promise<number> {
  const rows = await runStatement(
    tx,
    `update jobs.job set state = 'waiting', attempts = 0, due_at = to_timestamp($3 / 1000.0)
    where state = 'dead' and (id = any($1::uuid[]) or queue = $2) returning 1`,
    ['ids' in which ? which.ids : [], 'queue' in which ? which.queue : null, now],
  )
  return rows.length
}

/** In any state; what runs is not stopped, but can no longer write. */
export async function deleteJobs(
  tx: Tx,
  which: { readonly ids: readonly string[] } | { readonly queue: string; readonly keys: readonly string[] },
  now: Instant,
): Promise<number> {
  const byIds = 'ids' in which
  const rows = await runStatement<{ queue: string; key: string | null }>(
    tx,
    byIds
      ? 'delete from jobs.job where id = any($1::uuid[]) returning queue, key'
      : 'delete from jobs.job where queue = $2 and key = any($1::text[]) returning queue, key',
    byIds ? [which.ids] : [which.keys, which.queue],
  )
  for (const [queue, deleted] of Map.groupBy(rows, (row) => row.queue)) {
    await unblockNext(tx, queue, [...new Set(deleted.flatMap(({ key }) => key ?? []))], now)
  }
  return rows.length
}

export interface KeyProgress {
  readonly done: number
  readonly total: number
}

/** Of all jobs of a kind that are not done, by key; absent where there are none. */
export async function readProgress(
  read: Read,
  { queue, kind }: { readonly queue: string; readonly kind: string },
  tenantId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KeyProgress>> {
  const rows = await runStatement<{ key: string; done: number; total: number }>(
    read,
    `select key, sum(done)::float8 as done, sum(coalesce(total, 0))::float8 as total from jobs.job
    where queue = $1 and key = any($4::text[]) and kind = $2 and tenant_id = $3 group by key`,
    [queue, kind, tenantId, keys],
  )
  return new Map(rows.map(({ key, done, total }) => [key, { done, total }]))
}

export const JOBS_CHANNEL = 'sealpost_jobs'

/** Outside of the transactions that enqueue: NOTIFY takes a lock on the whole database until its transaction has committed. */
export async function notifyQueues(tx: Tx, queues: readonly string[]): Promise<void> {
  await runStatement(tx, `select pg_notify('${JOBS_CHANNEL}', queue) from unnest($1::text[]) queue`, [queues])
}
