import type { ConnectionId, RequestFieldId, ServiceId, UserId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { appendEvents } from '../../../feed/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import { discardObjects, discardVersions } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { EndedConnection, StoredConnection } from '../model.ts'
import { connectionEvent } from '../rules/events.ts'
import { addOpenContracts, deleteConnections, lockConnection } from '../store/connections.ts'
import { insertErased } from '../store/erased.ts'
import { deleteLinks } from '../store/flow-links.ts'
import { removeCustomers } from '../store/regions.ts'
import { deleteSlots } from '../store/slots.ts'

/** While a contract is open, neither side can end the connection. False when there is no such connection. */
export async function changeOpenContracts(
  tx: Tx,
  { serviceId }: ServiceName,
  connectionId: ConnectionId,
  by: 1 | -1,
): Promise<boolean> {
  return (await addOpenContracts(tx, serviceId, connectionId, by)) !== null
}

export type EndOutcome = 'ended' | 'gone' | 'active_contract'

export interface Ending {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly id: ConnectionId
  readonly by: 'customer' | 'service'
}

/** Ends a connection unless a contract is open; the event and the tell are written in the same transaction. */
export async function endConnection(
  context: ServiceSideContext,
  tx: Tx,
  { serviceId, id, by }: Ending,
  isMeant: (connection: StoredConnection) => boolean,
): Promise<EndOutcome> {
  const connection = await lockConnection(tx, serviceId, id)
  if (connection === null || !isMeant(connection)) return 'gone'
  if (connection.openContracts > 0) return 'active_contract'
  await context.messages.tellEnded(tx, connection.customerRegion, connection, by)
  await remove(context, tx, { connection, by, isErased: false })
  return 'ended'
}

export interface GoneCustomer {
  readonly serviceId: ServiceId
  readonly id: ConnectionId
  readonly customerId: UserId
  readonly region: string
  /** The account was deleted, and its share code with it. */
  readonly isErased: boolean
}

/** The customer side no longer has the connection: open contracts do not prevent its end, and no tell is sent. */
export async function forgetCustomer(context: ServiceSideContext, tx: Tx, gone: GoneCustomer): Promise<void> {
  const connection = await lockConnection(tx, gone.serviceId, gone.id)
  if (connection === null || !belongsTo(connection, gone.customerId, gone.region)) return
  await remove(context, tx, { connection, by: 'customer', isErased: gone.isErased })
}

/** A region may act only for its own customers. */
export function belongsTo(connection: StoredConnection, customerId: UserId, region: string): boolean {
  return connection.customerId === customerId && connection.customerRegion === region
}

async function remove(context: ServiceSideContext, tx: Tx, ended: EndedConnection): Promise<void> {
  const { connection, isErased } = ended
  const { serviceId, id, customerRegion } = connection
  const deleted = await deleteSlots(tx, serviceId, [id], null)
  await discardFiles(context, tx, deleted)
  await discardLinks(context, tx, serviceId, [id])
  await deleteConnections(tx, serviceId, [id])
  await removeCustomers(tx, serviceId, customerRegion, 1)
  if (isErased) await insertErased(tx, connection)
  const shareCode = isErased ? null : connection.shareCode
  const events = await context.hooks.onEnded(tx, ended)
  await appendEvents(context, tx, [...events, connectionEvent('connection_deleted', { ...connection, shareCode })])
}

/** The files of deleted slots go with their earlier versions; see [Note: objects and backups]. */
export async function discardFiles(
  { clock }: Pick<ServiceSideContext, 'clock'>,
  tx: Tx,
  slots: readonly FiledSlot[],
): Promise<void> {
  const now = clock.now()
  const keys = slots.flatMap(({ objectKey }) => objectKey ?? [])
  await discardObjects(tx, keys, now)
  const connections = new Set(slots.map(({ connectionId }) => connectionId))
  const fields = new Set(slots.map(({ requestFieldId }) => requestFieldId))
  await discardVersions(tx, [...connections], [...fields], now)
}

/** Linked files go with their connections. */
export async function discardLinks(
  { clock }: Pick<ServiceSideContext, 'clock'>,
  tx: Tx,
  serviceId: ServiceId,
  connections: readonly ConnectionId[],
): Promise<void> {
  const now = clock.now()
  await discardObjects(tx, await deleteLinks(tx, serviceId, connections), now)
  await discardVersions(tx, connections, null, now)
}

interface FiledSlot {
  readonly connectionId: ConnectionId
  readonly requestFieldId: RequestFieldId
  readonly objectKey: ObjectKey | null
}
