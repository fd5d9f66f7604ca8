import type { Tx } from '@sealpost/postgres'
import { changeOpenContracts, listCustomerRegions, type StoredConnection } from '../../../connections/index.ts'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { CustomerDocument, Signature, StoredDocument, StoredObject } from '../model.ts'
import { holdsConnection } from '../rules/contracts.ts'
import { addToCounters } from '../store/counters.ts'
import { deleteDocumentRow, insertDocument, updateDocument } from '../store/documents.ts'
import { broadcastToWire, contentToWire, stateToWire } from '../wire.ts'

export interface Change {
  /** Null for a new document. */
  readonly before: StoredDocument | null
  /** Null for a deleted one. */
  readonly after: StoredDocument | null
  /** Locked by the caller; null for a broadcast, and when the connection has ended. */
  readonly connection: StoredConnection | null
  readonly signatures: readonly Signature[]
  /** The new content when it is not in the row. */
  readonly file?: StoredObject | null
  readonly event: NewEvent | null
  /** A deleted document whose customer keeps the copy. */
  readonly customerKeeps?: boolean
}

/**
 * Writes a change with everything that follows from it: the contracts that hold the connection, counters, the tell and the
 * event. Lock order: service, connection, document, counters, feed.
 */
export async function recordChange(context: ServiceSideContext, tx: Tx, change: Change): Promise<void> {
  await appendEvents(context, tx, await recordChanges(context, tx, [change]))
}

/** Several changes at once. Answers their events, which the caller appends last: the feed is locked after all other rows. */
export async function recordChanges(
  context: ServiceSideContext,
  tx: Tx,
  changes: readonly Change[],
): Promise<readonly NewEvent[]> {
  const [one] = changes
  if (one === undefined) return []
  for (const change of changes) await writeChange(context, tx, change)
  await addToCounters(tx, documentOf(one).serviceId, counterChanges(changes))
  return changes.flatMap(({ event }) => event ?? [])
}

function documentOf({ before, after }: Change): StoredDocument {
  const document = after ?? before
  if (document === null) throw new Error('a change without a document')
  return document
}

async function writeChange(context: ServiceSideContext, tx: Tx, change: Change): Promise<void> {
  const { before, after, connection } = change
  const document = documentOf(change)
  if (after === null) await deleteDocumentRow(tx, document)
  else if (before === null) await insertDocument(tx, after)
  else await updateDocument(tx, after)
  const { companyId, serviceId } = document
  const held = Number(after !== null && holdsConnection(after)) - Number(before !== null && holdsConnection(before))
  if (connection !== null && held !== 0)
    await changeOpenContracts(tx, { companyId, serviceId }, connection.id, held > 0 ? 1 : -1)
  await tellChange(context, tx, change, document)
}

async function tellChange(
  context: ServiceSideContext,
  tx: Tx,
  change: Change,
  document: StoredDocument,
): Promise<void> {
  if (document.recipient === 'broadcast') await tellBroadcast(context, tx, change, document)
  else if (document.customer !== null && change.connection !== null)
    await tellCustomer(context, tx, change, { ...document, customer: document.customer })
}

async function tellCustomer(
  { messages }: ServiceSideContext,
  tx: Tx,
  { before, after, signatures, file = null, customerKeeps = false }: Change,
  document: CustomerDocument,
): Promise<void> {
  if (document.isPending) return
  if (after === null) {
    if (!customerKeeps) await messages.tellDeleted(tx, document)
    return
  }
  const isNew = before === null || before.isPending || before.contentRev !== after.contentRev
  const content = isNew ? contentToWire(after, file !== null) : null
  await messages.tellCopy(tx, document, stateToWire(after, signatures), content, file)
}

/** Customers see a broadcast while it is active. */
async function tellBroadcast(
  { messages }: ServiceSideContext,
  tx: Tx,
  { after }: Change,
  document: StoredDocument,
): Promise<void> {
  if (document.isPending) return
  const service = { companyId: document.companyId, serviceId: document.serviceId }
  for (const region of await listCustomerRegions(tx, document.serviceId)) {
    if (after === null || after.status === 'ended')
      await messages.tellBroadcastDeleted(tx, region, service, document.id)
    else await messages.tellBroadcast(tx, region, service, broadcastToWire(after))
  }
}

/** The names of the counters that a document is part of. */
function countersOf({ status, customer }: StoredDocument): readonly string[] {
  return [ALL, statusCounter(status), ...(customer === null ? [] : [personCounter(customer.customerId)])]
}

export const ALL = ''

export function statusCounter(status: string): string {
  return `status:${status}`
}

export function personCounter(customerId: string): string {
  return `person:${customerId}`
}

export function counterChanges(changes: readonly Pick<Change, 'before' | 'after'>[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>()
  const add = (name: string, by: number) => counted.set(name, (counted.get(name) ?? 0) + by)
  for (const { before, after } of changes) {
    if (before !== null) for (const name of countersOf(before)) add(name, -1)
    if (after !== null) for (const name of countersOf(after)) add(name, 1)
  }
  return counted
}
