import type { ConnectionId, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ConnectionSelector, StoredConnection } from '../model.ts'

const CONNECTION = `company_id as "companyId", service_id as "serviceId", id, customer_id as "customerId",
  customer_region as "customerRegion", customer_type as "customerType", share_code as "shareCode",
  display_name as "displayName", public_key as "publicKey",
  round(extract(epoch from connected_at) * 1000)::float8 as "connectedAt", open_contracts as "openContracts"`
const FIND = `select ${CONNECTION} from connections_service.connection where service_id = $1 and id = $2`

/** Null for an unknown connection and for one of another service. */
export async function findConnection(
  read: Read,
  serviceId: ServiceId,
  id: ConnectionId,
): Promise<StoredConnection | null> {
  const [row] = await runStatement<StoredConnection>(read, FIND, [serviceId, id])
  return row ?? null
}

/** FOR UPDATE: a concurrent end waits, or has removed the row. */
export async function lockConnection(tx: Tx, serviceId: ServiceId, id: ConnectionId): Promise<StoredConnection | null> {
  const [row] = await runStatement<StoredConnection>(tx, `${FIND} for update`, [serviceId, id])
  return row ?? null
}

/** In the order of ids: see the lock order in README.md. Missing ones are left out. */
export function lockConnections(
  tx: Tx,
  serviceId: ServiceId,
  ids: readonly ConnectionId[],
): Promise<readonly StoredConnection[]> {
  return runStatement<StoredConnection>(
    tx,
    `select ${CONNECTION} from connections_service.connection where service_id = $1 and id = any($2::uuid[])
    order by connection.id for update`,
    [serviceId, ids],
  )
}

/** FOR UPDATE, by any of the members that name it. */
export async function lockRecipient(
  tx: Tx,
  serviceId: ServiceId,
  selector: ConnectionSelector,
): Promise<StoredConnection | null> {
  const [connectionId, customerId, shareCode] = [
    'connectionId' in selector ? selector.connectionId : null,
    'customerId' in selector ? selector.customerId : null,
    'shareCode' in selector ? selector.shareCode : null,
  ]
  const [row] = await runStatement<StoredConnection>(
    tx,
    `select ${CONNECTION} from connections_service.connection
    where service_id = $1 and (id = $2::uuid or customer_id = $3::uuid or share_code = $4::text) for update`,
    [serviceId, connectionId, customerId, shareCode],
  )
  return row ?? null
}

export async function findConnectionOf(
  read: Read,
  serviceId: ServiceId,
  customerId: UserId,
): Promise<StoredConnection | null> {
  const sql = `select ${CONNECTION} from connections_service.connection where service_id = $1 and customer_id = $2`
  const [row] = await runStatement<StoredConnection>(read, sql, [serviceId, customerId])
  return row ?? null
}

/** False when the customer is connected already. */
export async function insertConnection(tx: Tx, connection: StoredConnection): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into connections_service.connection (service_id, id, company_id, customer_id, customer_region, customer_type,
      share_code, display_name, public_key, connected_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10 / 1000.0))
    on conflict do nothing returning id`,
    [
      connection.serviceId,
      connection.id,
      connection.companyId,
      connection.customerId,
      connection.customerRegion,
      connection.customerType,
      connection.shareCode,
      connection.displayName,
      connection.publicKey,
      connection.connectedAt,
    ],
  )
  return rows.length === 1
}

/** Requires that their slots are deleted. */
export async function deleteConnections(tx: Tx, serviceId: ServiceId, ids: readonly ConnectionId[]): Promise<void> {
  const sql = 'delete from connections_service.connection where service_id = $1 and id = any($2::uuid[])'
  await runStatement(tx, sql, [serviceId, ids])
}

/** In the order of their ids, after `after`. */
export function lockConnectionsAfter(
  tx: Tx,
  serviceId: ServiceId,
  after: ConnectionId | null,
  limit: number,
): Promise<readonly StoredConnection[]> {
  return runStatement<StoredConnection>(
    tx,
    `select ${CONNECTION} from connections_service.connection where service_id = $1 and id > $2
    order by id limit $3 for update`,
    [serviceId, after ?? FIRST, limit],
  )
}

/** Below every id. */
export const FIRST = '00000000-0000-0000-0000-000000000000'

/** At all services of this region; an older name has no effect. */
export async function renameCustomer(
  tx: Tx,
  customerId: UserId,
  customerRegion: string,
  name: { readonly displayName: string; readonly rev: number },
): Promise<void> {
  await runStatement(
    tx,
    `update connections_service.connection set display_name = $3, name_rev = $4
    where customer_id = $1 and customer_region = $2 and name_rev < $4`,
    [customerId, customerRegion, name.displayName, name.rev],
  )
}

/** Null when there is no such connection. */
export async function addOpenContracts(
  tx: Tx,
  serviceId: ServiceId,
  id: ConnectionId,
  by: number,
): Promise<number | null> {
  const [row] = await runStatement<{ contracts: number }>(
    tx,
    `update connections_service.connection set open_contracts = open_contracts + $3
    where service_id = $1 and id = $2 returning open_contracts as contracts`,
    [serviceId, id, by],
  )
  return row?.contracts ?? null
}

export async function hasContracts(read: Read, serviceId: ServiceId): Promise<boolean> {
  const sql = 'select 1 from connections_service.connection where service_id = $1 and open_contracts > 0 limit 1'
  return (await runStatement(read, sql, [serviceId])).length > 0
}

/** The keys of the customers among these that are connected. */
export function listKeys(
  read: Read,
  serviceId: ServiceId,
  customers: readonly UserId[],
): Promise<readonly { readonly customerId: UserId; readonly publicKey: string }[]> {
  return runStatement<{ customerId: UserId; publicKey: string }>(
    read,
    `select customer_id as "customerId", public_key as "publicKey" from connections_service.connection
    where service_id = $1 and customer_id = any($2::uuid[])`,
    [serviceId, customers],
  )
}
