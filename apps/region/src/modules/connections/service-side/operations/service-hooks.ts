import type { ConnectionId, RequestFieldId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse, type ServiceFacts } from '@sealpost/protocol'
import { appendEvents } from '../../../feed/index.ts'
import { findService, listRequestRows, type RequestRow, type ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { slotEvent } from '../rules/events.ts'
import { deleteConnections, hasContracts, lockConnectionsAfter } from '../store/connections.ts'
import { listSlotRows } from '../store/records.ts'
import { countCustomers, listRegions, raiseRevision, removeCustomers } from '../store/regions.ts'
import { countAnswers, deleteSlots } from '../store/slots.ts'
import { discardFiles, discardLinks } from './end-connection.ts'
import { readFacts } from './read-facts.ts'

/** One tell per region with customers. The same revision invalidates the cached request rows of reads. */
export async function tellFactsChanged(context: ServiceSideContext, tx: Tx, name: ServiceName): Promise<void> {
  const service = await findService(tx, name.companyId, name.serviceId)
  if (service === null) return
  const facts = await readFacts(tx, service)
  requireRoom(facts)
  const regions = await raiseRevision(tx, name.serviceId, service.rev)
  for (const region of regions) await context.messages.tellFacts(tx, region, facts)
}

/** A bus message holds 256 KiB; the members around the facts need less than the difference. */
const LARGEST_FACTS_BYTES = 240 * 1024

/** Also required of a service without customers: otherwise the first one could not connect. */
function requireRoom(facts: ServiceFacts): void {
  if (Buffer.byteLength(JSON.stringify(facts)) <= LARGEST_FACTS_BYTES) return
  const message = `makes what customers see of a service larger than ${LARGEST_FACTS_BYTES} bytes: use fewer or shorter texts`
  throw refuse('request.invalid', { details: [{ path: '/body', message }] })
}

/** In the transaction of the deletion. The job that follows ends the connections and requests here. */
export async function tellServiceDeleted(context: ServiceSideContext, tx: Tx, name: ServiceName): Promise<void> {
  for (const region of await listRegions(tx, name.serviceId)) await context.messages.tellServiceEnded(tx, region, name)
}

export function hasOpenContracts(read: Read, { serviceId }: ServiceName): Promise<boolean> {
  return hasContracts(read, serviceId)
}

export function countConnections(read: Read, { serviceId }: ServiceName): Promise<number> {
  return countCustomers(read, serviceId)
}

export function countValues(read: Read, { serviceId }: ServiceName): Promise<ReadonlyMap<RequestFieldId, number>> {
  return countAnswers(read, serviceId)
}

export interface DeletedRows {
  /** Null after the last connection. */
  readonly after: ConnectionId | null
  readonly connections: number
}

/** One step of the removal of request rows: deletes their slots at the next connections, with an event for each value. */
export async function deleteSlotsOfRows(
  context: ServiceSideContext,
  tx: Tx,
  service: ServiceName,
  rows: readonly RequestRow[],
  after: ConnectionId | null,
  limit: number,
): Promise<DeletedRows> {
  const { serviceId } = service
  const connections = await lockConnectionsAfter(tx, serviceId, after, limit)
  const ids = connections.map(({ id }) => id)
  const fields = rows.map(({ id }) => id)
  const deleted = await deleteSlots(tx, serviceId, ids, fields)
  await discardFiles(context, tx, deleted)
  const successors = await listSuccessors(tx, service, rows, ids)
  const customers = new Map(connections.map((connection) => [connection.id, connection]))
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const events = deleted.flatMap(({ connectionId, requestFieldId, state }) => {
    const customer = customers.get(connectionId)
    const row = rowsById.get(requestFieldId)
    if (state !== 'answered' || customer === undefined || row === undefined) return []
    const next = successors.find((one) => one.connectionId === connectionId && one.row.slug === row.slug)
    const deletion = slotEvent('field_deleted', customer, row)
    return next === undefined ? [deletion] : [deletion, slotEvent('field_updated', customer, next.row)]
  })
  if (events.length > 0) await appendEvents(context, tx, events)
  return { after: connections.length < limit ? null : (ids.at(-1) ?? null), connections: connections.length }
}

interface Successor {
  readonly connectionId: ConnectionId
  readonly row: RequestRow
}

/**
 * Answered slots of published rows that have the slug of a removed one. Readers know a slot by its slug: the deletion of the
 * old value must not be the last event that they get about the slug.
 */
async function listSuccessors(
  tx: Tx,
  { companyId, serviceId }: ServiceName,
  removed: readonly RequestRow[],
  connections: readonly ConnectionId[],
): Promise<readonly Successor[]> {
  const slugs = new Set(removed.map(({ slug }) => slug))
  const published = await listRequestRows(tx, companyId, serviceId)
  const rows = new Map(published.filter(({ slug }) => slugs.has(slug)).map((row) => [row.id, row]))
  if (rows.size === 0) return []
  const slots = await listSlotRows(tx, serviceId, connections, [...rows.keys()])
  return slots.flatMap(({ connectionId, field }) => {
    const row = rows.get(field)
    return row === undefined ? [] : [{ connectionId, row }]
  })
}

/** One step of the deletion of a service. No tell and no event: the customers' regions were told, and the feed has ended. */
export async function endConnections(
  context: ServiceSideContext,
  tx: Tx,
  { serviceId }: ServiceName,
  limit: number,
): Promise<number> {
  const connections = await lockConnectionsAfter(tx, serviceId, null, limit)
  const ids = connections.map(({ id }) => id)
  await discardFiles(context, tx, await deleteSlots(tx, serviceId, ids, null))
  await discardLinks(context, tx, serviceId, ids)
  await deleteConnections(tx, serviceId, ids)
  for (const [region, gone] of Map.groupBy(connections, ({ customerRegion }) => customerRegion)) {
    await removeCustomers(tx, serviceId, region, gone.length)
  }
  return connections.length
}
