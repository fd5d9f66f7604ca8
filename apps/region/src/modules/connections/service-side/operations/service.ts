import type { ConnectionId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse, type ServiceFacts } from '@sealpost/protocol'
import { appendEvents } from '../../../feed/index.ts'
import { findService, type RequestRow, type ServiceName } from '../../../services/index.ts'
import { slotEvent } from '../events.ts'
import { readFacts } from '../facts.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { deleteConnections, hasContracts, lockConnectionsAfter } from '../store/connections.ts'
import { countCustomers, listRegions, raiseRevision, removeCustomers } from '../store/regions.ts'
import { deleteSlots } from '../store/slots.ts'
import { discardFiles } from './end.ts'

/** Once per region with customers, whatever their number. Reads learn of the change by the same revision. */
export async function tellFactsChanged(needs: ServiceSideNeeds, tx: Tx, name: ServiceName): Promise<void> {
  const service = await findService(tx, name.companyId, name.serviceId)
  if (service === null) return
  const facts = await readFacts(tx, service)
  demandRoom(facts)
  const regions = await raiseRevision(tx, name.serviceId, service.rev)
  for (const region of regions) await needs.wire.tellFacts(tx, region, facts)
}

/** A message of the bus holds 256 KiB; what stands around the facts in the widest one is small. */
const LARGEST_FACTS_BYTES = 240 * 1024

/** Also where nobody is connected yet: the first customer could not be told of such a service. */
function demandRoom(facts: ServiceFacts): void {
  if (Buffer.byteLength(JSON.stringify(facts)) <= LARGEST_FACTS_BYTES) return
  const message = `makes what customers see of a service larger than ${LARGEST_FACTS_BYTES} bytes: use fewer or shorter texts`
  throw refuse('request.invalid', { details: [{ path: '/body', message }] })
}

/** At the moment of its deletion; what is connected or asked here is ended by the job that follows. */
export async function tellServiceDeleted(needs: ServiceSideNeeds, tx: Tx, name: ServiceName): Promise<void> {
  for (const region of await listRegions(tx, name.serviceId)) await needs.wire.tellServiceEnded(tx, region, name)
}

export function hasOpenContracts(read: Read, { serviceId }: ServiceName): Promise<boolean> {
  return hasContracts(read, serviceId)
}

export function countConnections(read: Read, { serviceId }: ServiceName): Promise<number> {
  return countCustomers(read, serviceId)
}

export interface DroppedRows {
  /** Null: that was the last of them. */
  readonly after: ConnectionId | null
  readonly connections: number
}

/** One step of the removal of request rows: what the next connections hold for them goes, with an event for each value. */
export async function dropRows(
  needs: ServiceSideNeeds,
  tx: Tx,
  { serviceId }: ServiceName,
  rows: readonly RequestRow[],
  after: ConnectionId | null,
  limit: number,
): Promise<DroppedRows> {
  const connections = await lockConnectionsAfter(tx, serviceId, after, limit)
  const ids = connections.map(({ id }) => id)
  const fields = rows.map(({ id }) => id)
  const dropped = await deleteSlots(tx, serviceId, ids, fields)
  await discardFiles(needs, tx, dropped)
  const customers = new Map(connections.map((connection) => [connection.id, connection]))
  const slugs = new Map(rows.map((row) => [row.id, row]))
  const events = dropped.flatMap(({ connectionId, requestFieldId, state }) => {
    const customer = customers.get(connectionId)
    const row = slugs.get(requestFieldId)
    const isSaid = state === 'answered' && customer !== undefined && row !== undefined
    return isSaid ? [slotEvent('field_deleted', customer, row)] : []
  })
  if (events.length > 0) await appendEvents(tx, needs, events)
  return { after: connections.length < limit ? null : (ids.at(-1) ?? null), connections: connections.length }
}

/** One step of the deletion of a service. The customers' regions know already, and nobody reads the feed any more. */
export async function endConnections(
  needs: ServiceSideNeeds,
  tx: Tx,
  { serviceId }: ServiceName,
  limit: number,
): Promise<number> {
  const connections = await lockConnectionsAfter(tx, serviceId, null, limit)
  const ids = connections.map(({ id }) => id)
  await discardFiles(needs, tx, await deleteSlots(tx, serviceId, ids, null))
  await deleteConnections(tx, serviceId, ids)
  for (const [region, gone] of Map.groupBy(connections, ({ customerRegion }) => customerRegion)) {
    await removeCustomers(tx, serviceId, region, gone.length)
  }
  return connections.length
}
