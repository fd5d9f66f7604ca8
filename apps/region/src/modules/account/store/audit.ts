import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

export interface AuditEntry {
  readonly companyId: UserId
  /** A user id, or a client id. */
  readonly actorId: string
  /** The id of the operation: `delegates.create`. */
  readonly action: string
  readonly ref?: string | undefined
  /** The service that it concerns. */
  readonly serviceId?: ServiceId | undefined
  readonly at: Instant
}

/** Part of the transaction that it records. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await runStatement(
    tx,
    `with head as (
      insert into account.audit_head as known (company_id, seq) values ($1, 1)
      on conflict (company_id) do update set seq = known.seq + 1 returning seq)
    insert into account.audit (company_id, seq, actor_id, action, ref, service_id, at)
    select $1, head.seq, $2, $3, $4, $5, to_timestamp($6 / 1000.0) from head`,
    [entry.companyId, entry.actorId, entry.action, entry.ref ?? null, entry.serviceId ?? null, entry.at],
  )
}

export interface AuditRow {
  readonly seq: number
  readonly actorId: string
  readonly action: string
  readonly ref: string | null
  readonly serviceId: ServiceId | null
  readonly at: Instant
}

/** Without a name: the platform, a deleted client, and a user whose account is deleted. */
export type NamedEntry = AuditRow & { readonly actorName: string | null }

/** Null: of any. */
export interface AuditFilter {
  readonly action: string | null
  readonly actor: string | null
  readonly serviceId: ServiceId | null
  readonly since: Instant | null
}

/** Newest first; `before` null starts with the newest. */
export function listAuditRows(
  read: Read,
  companyId: UserId,
  { action, actor, serviceId, since }: AuditFilter,
  { before, offset, limit }: { readonly before: number | null; readonly offset: number; readonly limit: number },
): Promise<readonly AuditRow[]> {
  return runStatement<AuditRow>(
    read,
    `select seq, actor_id as "actorId", action, ref, service_id as "serviceId",
      (extract(epoch from at) * 1000)::float8 as at
    from account.audit where company_id = $1 and ($2::int is null or seq < $2)
      and ($5::text is null or action = $5) and ($6::text is null or actor_id = $6)
      and ($7::uuid is null or service_id = $7) and ($8::float8 is null or at >= to_timestamp($8 / 1000.0))
    order by seq desc offset $3 limit $4`,
    [companyId, before, offset, limit, action, actor, serviceId, since],
  )
}

export async function countAudit(read: Read, companyId: UserId): Promise<number> {
  const sql = 'select seq from account.audit_head where company_id = $1'
  const [row] = await runStatement<{ seq: number }>(read, sql, [companyId])
  return row?.seq ?? 0
}
