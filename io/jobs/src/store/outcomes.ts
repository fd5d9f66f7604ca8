import type { Instant } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import type { AfterFailure } from '../rules.ts'
import { unblockNext } from './keys.ts'

export interface Held {
  readonly id: string
  readonly queue: string
  readonly key: string | null
  readonly lease: number
}

/** All of these answer false when the job is no longer held: the caller's transaction must not commit then. */
export async function completeJob(tx: Tx, { id, queue, key, lease }: Held, now: Instant): Promise<boolean> {
  const sql = `delete from jobs.job where id = $1 and lease = $2 and state = 'running' returning 1`
  if ((await runStatement(tx, sql, [id, lease])).length === 0) return false
  if (key !== null) await unblockNext(tx, queue, [key], now)
  return true
}

export interface Progress {
  readonly cursor: unknown
  readonly done: number
  readonly total: number | null
}

const ADVANCE = `
update jobs.job set cursor = $3::jsonb, done = $4, total = $5, attempts = 1, failed_at = null, error = null,
  lease_until = clock_timestamp() + $6 * interval '1 millisecond'
where id = $1 and lease = $2 and state = 'running' returning 1`

/** Goes on in the same hands. Touches no index. */
export async function advanceJob(tx: Tx, { id, lease }: Held, progress: Progress, leaseMs: number): Promise<boolean> {
  const { cursor, done, total } = progress
  return (await runStatement(tx, ADVANCE, [id, lease, JSON.stringify(cursor), done, total, leaseMs])).length > 0
}

const RELEASE = `
update jobs.job set state = $7, cursor = $3::jsonb, done = $4, total = $5, attempts = 0, failed_at = null, error = null,
  due_at = to_timestamp($6 / 1000.0), lease_until = null, worker = null
where id = $1 and lease = $2 and state = 'running' returning 1`

/** For any worker to go on, from `dueAt` on. */
export async function releaseJob(
  tx: Tx,
  { id, lease }: Held,
  { cursor, done, total }: Progress,
  { dueAt, now }: { readonly dueAt: Instant; readonly now: Instant },
): Promise<boolean> {
  const text = cursor === null ? null : JSON.stringify(cursor)
  const state = dueAt > now ? 'delayed' : 'waiting'
  return (await runStatement(tx, RELEASE, [id, lease, text, done, total, dueAt, state])).length > 0
}

const GIVE_BACK = `
update jobs.job set state = 'waiting', attempts = attempts - 1, lease_until = null, worker = null
where id = $1 and lease = $2 and state = 'running'`

/** As if it had never been claimed. */
export async function giveBack(tx: Tx, { id, lease }: Held): Promise<void> {
  await runStatement(tx, GIVE_BACK, [id, lease])
}

const FAIL = `
update jobs.job set state = $3, due_at = coalesce(to_timestamp($4 / 1000.0), due_at), failed_at = to_timestamp($5 / 1000.0),
  error = $6, lease_until = null, worker = null
where id = $1 and state = 'running' and ($2::bigint is null or lease = $2)`

/** `lease` is null for a job whose lease has lapsed and that this transaction has locked. */
export async function failJob(
  tx: Tx,
  { id, lease }: { readonly id: string; readonly lease: number | null },
  after: AfterFailure,
  { error, now }: { readonly error: string; readonly now: Instant },
): Promise<void> {
  const dueAt = after === 'dead' ? null : after.dueAt
  const state = dueAt === null ? 'dead' : dueAt > now ? 'delayed' : 'waiting'
  await runStatement(tx, FAIL, [id, lease, state, dueAt, now, error])
}
