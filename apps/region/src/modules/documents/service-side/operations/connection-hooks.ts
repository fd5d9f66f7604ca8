import type { Tx } from '@sealpost/postgres'
import type { EndedConnection, StoredConnection } from '../../../connections/index.ts'
import type { NewEvent } from '../../../feed/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { CustomerDocument, StoredDocument } from '../model.ts'
import { dateOf } from '../rules/dates.ts'
import { documentEvent, statusEvent } from '../rules/events.ts'
import { addToCounters } from '../store/counters.ts'
import { forgetShareCode, listShownBroadcasts, lockOpenDocuments, updateDocument } from '../store/documents.ts'
import { broadcastToWire } from '../wire.ts'
import { statusCounter } from './record-change.ts'

/**
 * In the transaction that ends a connection: open offers end with it. The company keeps its documents; the customer's side
 * hears of the end of the connection. Answers the events, which the caller appends with its own.
 */
export async function endOffers(
  { clock }: ServiceSideContext,
  tx: Tx,
  { connection, by, isErased }: EndedConnection,
): Promise<readonly NewEvent[]> {
  const { serviceId, id } = connection
  const now = clock.now()
  if (isErased) await forgetShareCode(tx, serviceId, id)
  const open = await lockOpenDocuments(tx, serviceId, id)
  const events: NewEvent[] = []
  for (const before of open) {
    const after: StoredDocument = {
      ...before,
      status: 'ended',
      cancelEffectiveDate: dateOf(now),
      rev: before.rev + 1,
      updatedAt: now,
    }
    await updateDocument(tx, after)
    const { customer } = after
    if (customer !== null && !after.isPending) events.push(endEvent({ ...after, customer }, by))
  }
  await addToCounters(tx, serviceId, movedToEnded(open))
  return events
}

/** A customer who leaves has declined; the company's own end is an edit. */
function endEvent(document: CustomerDocument, by: EndedConnection['by']): NewEvent {
  if (by === 'service') return documentEvent('document_updated', document)
  return statusEvent(document, { action: 'cancelled', signature: null, note: null })
}

function movedToEnded(open: readonly StoredDocument[]): ReadonlyMap<string, number> {
  const changes = new Map<string, number>([[statusCounter('ended'), open.length]])
  for (const { status } of open) changes.set(statusCounter(status), (changes.get(statusCounter(status)) ?? 0) - 1)
  return changes
}

/** The service has its first customer in that region: from now on it is told of changes. */
export async function introduceBroadcasts(
  { messages }: ServiceSideContext,
  tx: Tx,
  { companyId, serviceId, customerRegion: region }: StoredConnection,
): Promise<void> {
  const service = { companyId, serviceId }
  await messages.tellBroadcastsReset(tx, region, service)
  for (const broadcast of await listShownBroadcasts(tx, serviceId))
    await messages.tellBroadcast(tx, region, service, broadcastToWire(broadcast))
}
