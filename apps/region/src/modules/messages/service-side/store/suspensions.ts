import type { Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Suspendable } from '../model.ts'

export async function listSuspensions(read: Read, serviceId: ServiceId): Promise<ReadonlySet<Suspendable>> {
  const sql = 'select what from messages_service.suspension where service_id = $1'
  const rows = await runStatement<{ what: Suspendable }>(read, sql, [serviceId])
  return new Set(rows.map(({ what }) => what))
}

export async function insertSuspension(tx: Tx, serviceId: ServiceId, what: Suspendable, since: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_service.suspension (service_id, what, since) values ($1, $2, to_timestamp($3 / 1000.0))
    on conflict do nothing`,
    [serviceId, what, since],
  )
}

export async function deleteSuspensions(tx: Tx, serviceId: ServiceId, what: readonly Suspendable[]): Promise<void> {
  const sql = 'delete from messages_service.suspension where service_id = $1 and what = any($2::text[])'
  await runStatement(tx, sql, [serviceId, what])
}
