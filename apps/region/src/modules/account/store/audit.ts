import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

export interface AuditEntry {
  readonly companyId: UserId
  /** A user id, or a client id. */
  readonly actorId: string
  /** The id of the operation: `delegates.create`. */
  readonly action: string
  readonly ref?: string | undefined
  readonly at: Instant
}

/** Part of the transaction that it records. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await runStatement(
    tx,
    `with head as (
      insert into account.audit_head as known (company_id, seq) values ($1, 1)
      on conflict (company_id) do update set seq = known.seq + 1 returning seq)
    insert into account.audit (company_id, seq, actor_id, action, ref, at)
    select $1, head.seq, $2, $3, $4, to_timestamp($5 / 1000.0) from head`,
    [entry.companyId, entry.actorId, entry.action, entry.ref ?? null, entry.at],
  )
}

export interface AuditRow {
  readonly seq: number
  readonly actorId: string
  readonly action: string
  readonly ref: string | null
  readonly at: Instant
}

/** Newest first; `before` null starts with the newest. */
export function listAuditRows(
  read: Read,
  companyId: UserId,
  { before, offset, limit }: { readonly before: number | null; readonly offset: number; readonly limit: number },
): Promise<readonly AuditRow[]> {
  return runStatement<AuditRow>(
    read,
    `select seq, actor_id as "actorId", action, ref, (extract(epoch from at) * 1000)::float8 as at
    from account.audit where company_id = $1 and ($2::int is null or seq < $2) order by seq desc offset $3 limit $4`,
    [companyId, before, offset, limit],
  )
}

export async function countAudit(read: Read, companyId: UserId): Promise<number> {
  const sql = 'select seq from account.audit_head where company_id = $1'
  const [row] = await runStatement<{ seq: number }>(read, sql, [companyId])
  return row?.seq ?? 0
}
