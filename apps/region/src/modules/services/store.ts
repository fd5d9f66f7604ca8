import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'

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
