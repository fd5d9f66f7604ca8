import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

export interface ServiceRow {
  readonly companyId: UserId
  readonly id: ServiceId
  readonly name: string
  readonly createdAt: Instant
}

export async function insertService(tx: Tx, service: ServiceRow): Promise<void> {
  await runStatement(
    tx,
    `insert into services.service (company_id, id, name, created_at)
    values ($1, $2, $3, to_timestamp($4 / 1000.0)) on conflict do nothing`,
    [service.companyId, service.id, service.name, service.createdAt],
  )
}

/** Null for an unknown service and for somebody else's. */
export async function findService(read: Read, companyId: UserId, id: ServiceId): Promise<ServiceRow | null> {
  const [row] = await runStatement<ServiceRow>(
    read,
    `select company_id as "companyId", id, name, round(extract(epoch from created_at) * 1000)::float8 as "createdAt"
    from services.service where company_id = $1 and id = $2`,
    [companyId, id],
  )
  return row ?? null
}

export async function ownsServices(read: Read, companyId: UserId, ids: readonly ServiceId[]): Promise<boolean> {
  const distinct = [...new Set(ids)]
  const sql = 'select id from services.service where company_id = $1 and id = any($2::uuid[])'
  return (await runStatement(read, sql, [companyId, distinct])).length === distinct.length
}
