import type { ConnectionId, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { StoredConnection } from '../model.ts'

type ErasedConnection = Pick<StoredConnection, 'serviceId' | 'id' | 'customerId'>

/** Ids only: callers that still name the connection learn why it is gone. */
export async function insertErased(tx: Tx, { serviceId, id, customerId }: ErasedConnection): Promise<void> {
  const sql = `insert into connections_service.erased_connection (service_id, connection_id, customer_id)
    values ($1, $2, $3) on conflict do nothing`
  await runStatement(tx, sql, [serviceId, id, customerId])
}

/** Whether one of these connections ended because its customer deleted the account, or one of these users did so. */
export async function hasErased(
  read: Read,
  serviceId: ServiceId,
  connections: readonly ConnectionId[],
  customers: readonly UserId[],
): Promise<boolean> {
  const rows = await runStatement(
    read,
    `select 1 from connections_service.erased_connection
    where service_id = $1 and (connection_id = any($2::uuid[]) or customer_id = any($3::uuid[])) limit 1`,
    [serviceId, connections, customers],
  )
  return rows.length > 0
}

export async function deleteErased(tx: Tx, serviceId: ServiceId): Promise<void> {
  await runStatement(tx, 'delete from connections_service.erased_connection where service_id = $1', [serviceId])
}
