import type { Instant } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import { lockKeys } from './keys.ts'

export interface JobRow {
  readonly id: string
  readonly kind: string
  readonly tenantId: string
  readonly key: string | null
  readonly payload: unknown
  readonly total: number | null
  readonly dueAt: Instant
}

const INSERT = `
insert into jobs.job (id, queue, kind, tenant_id, key, state, payload, total, enqueued_at, due_at)
select n.id, $1, n.kind, n."tenantId", n.key,
  case when n.key is not null and (
    row_number() over (partition by n.key order by n.place) > 1
    or exists (select from jobs.job e where e.queue = $1 and e.key = n.key)) then 'blocked'
    when n."dueAt" > $3 then 'delayed' else 'waiting' end,
  n.payload, n.total, to_timestamp($3 / 1000.0), to_timestamp(n."dueAt" / 1000.0)
from rows from (jsonb_to_recordset($2::jsonb) as (id uuid, kind text, "tenantId" uuid, key text, payload jsonb, total bigint,
  "dueAt" float8)) with ordinality as n (id, kind, "tenantId", key, payload, total, "dueAt", place)
order by n.place
on conflict (id) do nothing`

/**
 * [Note: order of a key] The lock of a key is held until the caller's transaction ends, so the order of numbers is the order of
 * commits, and a job either sees the one before it and is blocked, or comes after the end of that one.
 */
export async function insertJobs(tx: Tx, queue: string, rows: readonly JobRow[], now: Instant): Promise<void> {
  const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]))
  if (keys.length > 0) await lockKeys(tx, queue, keys)
  await runStatement(tx, INSERT, [queue, JSON.stringify(rows), now])
}
