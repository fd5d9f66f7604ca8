import { type ConnectionId, type Instant, instant, type ServiceId, type UserId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { appendEvents } from '../../../feed/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import { discardObjects } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { StoredConnection } from '../model.ts'
import { connectionEvent } from '../rules/events.ts'
import { addOpenContracts, deleteConnections, lockConnection } from '../store/connections.ts'
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
  await remove(context, tx, connection, connection.shareCode)
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
  await remove(context, tx, connection, gone.isErased ? null : connection.shareCode)
}

/** A region may act only for its own customers. */
export function belongsTo(connection: StoredConnection, customerId: UserId, region: string): boolean {
  return connection.customerId === customerId && connection.customerRegion === region
}

async function remove(
  context: ServiceSideContext,
  tx: Tx,
  connection: StoredConnection,
  shareCode: string | null,
): Promise<void> {
  const { serviceId, id, customerRegion } = connection
  const deleted = await deleteSlots(tx, serviceId, [id], null)
  await discardFiles(context, tx, deleted)
  await deleteConnections(tx, serviceId, [id])
  await removeCustomers(tx, serviceId, customerRegion, 1)
  await appendEvents(context, tx, [connectionEvent('connection_deleted', { ...connection, shareCode })])
}

/** Objects are kept this long so that downloads in progress can finish. */
const READERS_MS = 600_000

export async function discardFiles(
  { clock }: Pick<ServiceSideContext, 'clock'>,
  tx: Tx,
  slots: readonly { readonly objectKey: ObjectKey | null }[],
): Promise<void> {
  const keys = slots.flatMap(({ objectKey }) => objectKey ?? [])
  if (keys.length > 0) await discardObjects(tx, keys, dueAfterReaders(clock.now()))
}

export function dueAfterReaders(now: Instant): Instant {
  return instant(now + READERS_MS)
}
