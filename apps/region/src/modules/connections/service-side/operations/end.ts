import { type ConnectionId, type Instant, instant, type ServiceId, type UserId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { appendEvents } from '../../../feed/index.ts'
import { discardObjects } from '../../../vault/index.ts'
import type { HeldConnection } from '../connection.ts'
import { connectionEvent } from '../events.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { deleteConnections, lockConnection } from '../store/connections.ts'
import { removeCustomers } from '../store/regions.ts'
import { deleteSlots } from '../store/slots.ts'

export type EndOutcome = 'ended' | 'gone' | 'active_contract'

export interface Ending {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly id: ConnectionId
  readonly by: 'customer' | 'service'
}

/** Ends a connection unless a contract holds it; both sides learn of it with the same commit. */
export async function endConnection(
  needs: ServiceSideNeeds,
  tx: Tx,
  { serviceId, id, by }: Ending,
  isMeant: (connection: HeldConnection) => boolean,
): Promise<EndOutcome> {
  const connection = await lockConnection(tx, serviceId, id)
  if (connection === null || !isMeant(connection)) return 'gone'
  if (connection.openContracts > 0) return 'active_contract'
  await needs.wire.tellEnded(tx, connection.customerRegion, connection, by)
  await remove(needs, tx, connection, connection.shareCode)
  return 'ended'
}

export interface GoneCustomer {
  readonly serviceId: ServiceId
  readonly id: ConnectionId
  readonly customerId: UserId
  readonly region: string
  /** The account is no more, and with it its code. */
  readonly isErased: boolean
}

/** Nobody is left on the other side: contracts hold nothing any more, and there is nobody to tell. */
export async function forgetCustomer(needs: ServiceSideNeeds, tx: Tx, gone: GoneCustomer): Promise<void> {
  const connection = await lockConnection(tx, gone.serviceId, gone.id)
  if (connection === null || !isOf(connection, gone.customerId, gone.region)) return
  await remove(needs, tx, connection, gone.isErased ? null : connection.shareCode)
}

/** A region speaks for its own customers only. */
export function isOf(connection: HeldConnection, customerId: UserId, region: string): boolean {
  return connection.customerId === customerId && connection.customerRegion === region
}

async function remove(
  needs: ServiceSideNeeds,
  tx: Tx,
  connection: HeldConnection,
  shareCode: string | null,
): Promise<void> {
  const { serviceId, id, customerRegion } = connection
  const dropped = await deleteSlots(tx, serviceId, [id], null)
  await discardFiles(needs, tx, dropped)
  await deleteConnections(tx, serviceId, [id])
  await removeCustomers(tx, serviceId, customerRegion, 1)
  await appendEvents(tx, needs, [connectionEvent('connection_deleted', { ...connection, shareCode })])
}

/** Whoever is reading a file at this moment may finish. */
const READERS_MS = 600_000

export async function discardFiles(
  { clock }: Pick<ServiceSideNeeds, 'clock'>,
  tx: Tx,
  slots: readonly { readonly objectKey: ObjectKey | null }[],
): Promise<void> {
  const keys = slots.flatMap(({ objectKey }) => objectKey ?? [])
  if (keys.length > 0) await discardObjects(tx, keys, dueAfterReaders(clock.now()))
}

export function dueAfterReaders(now: Instant): Instant {
  return instant(now + READERS_MS)
}
