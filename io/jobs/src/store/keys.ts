import type { Instant } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'

const LOCK = `select pg_advisory_xact_lock(hashtextextended('job ' || $1 || ' ' || key, 0)) from unnest($2::text[]) key`

/** In one order for all callers: else two of them could deadlock. */
export async function lockKeys(tx: Tx, queue: string, keys: readonly string[]): Promise<void> {
  await runStatement(tx, LOCK, [queue, [...new Set(keys)].toSorted()])
}

const UNBLOCK = `
update jobs.job set state = case when due_at > to_timestamp($3 / 1000.0) then 'delayed' else 'waiting' end where id in (
  select distinct on (key) id from jobs.job where queue = $1 and key = any($2::text[]) order by key, no)
and state = 'blocked'`

/** To be called in the transaction that deletes jobs of these keys, after it has: the next of each may run. */
export async function unblockNext(tx: Tx, queue: string, keys: readonly string[], now: Instant): Promise<void> {
  if (keys.length === 0) return
  await lockKeys(tx, queue, keys)
  await runStatement(tx, UNBLOCK, [queue, keys, now])
}
