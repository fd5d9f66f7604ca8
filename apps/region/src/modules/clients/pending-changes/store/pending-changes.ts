import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ClientName } from '../../model.ts'

export interface PendingChange extends ClientName {
  readonly id: string
  readonly startedAt: Instant
  readonly sealedSecret: string | null
}

export async function insertPendingChange(tx: Tx, change: PendingChange): Promise<void> {
  await runStatement(
    tx,
    `insert into clients.pending_change (company_id, client_id, id, started_at, sealed_secret)
    values ($1, $2, $3, to_timestamp($4 / 1000.0), $5)`,
    [change.companyId, change.clientId, change.id, change.startedAt, change.sealedSecret],
  )
}

export async function deletePendingChange(
  tx: Tx,
  { companyId, clientId, id }: Omit<PendingChange, 'startedAt' | 'sealedSecret'>,
): Promise<void> {
  const sql = 'delete from clients.pending_change where company_id = $1 and client_id = $2 and id = $3'
  await runStatement(tx, sql, [companyId, clientId, id])
}

export async function findSealedSecret(
  read: Read,
  { companyId, clientId }: ClientName,
  id: string,
): Promise<string | null> {
  const [row] = await runStatement<{ sealed_secret: string | null }>(
    read,
    'select sealed_secret from clients.pending_change where company_id = $1 and client_id = $2 and id = $3',
    [companyId, clientId, id],
  )
  return row?.sealed_secret ?? null
}

/** Oldest first, of all companies. */
export function listStartedBefore(read: Read, before: Instant, limit: number): Promise<readonly PendingChange[]> {
  return runStatement<PendingChange>(
    read,
    `select company_id as "companyId", client_id as "clientId", id, sealed_secret as "sealedSecret",
      round(extract(epoch from started_at) * 1000)::float8 as "startedAt"
    from clients.pending_change where started_at <= to_timestamp($1 / 1000.0) order by started_at limit $2`,
    [before, limit],
  )
}

export async function hasStartedAfter(
  read: Read,
  { companyId, clientId }: ClientName,
  after: Instant,
): Promise<boolean> {
  const rows = await runStatement(
    read,
    `select 1 from clients.pending_change
    where company_id = $1 and client_id = $2 and started_at > to_timestamp($3 / 1000.0)`,
    [companyId, clientId, after],
  )
  return rows.length > 0
}
