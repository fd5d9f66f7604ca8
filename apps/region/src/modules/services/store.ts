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

export async function serviceExists(read: Read, company: UserId, id: ServiceId): Promise<boolean> {
  const rows = await runStatement(read, 'select 1 from services.service where company_id = $1 and id = $2', [
    company,
    id,
  ])
  return rows.length > 0
}
