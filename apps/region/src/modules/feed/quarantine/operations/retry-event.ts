import type { EventId, ServiceId } from '@sealpost/kernel'
import { partitionOf, type Tx } from '@sealpost/postgres'
import { shapeCustomerEvent, shapeQueuedEvent } from '@sealpost/protocol'
import type { FeedContext } from '../../context.ts'
import type { FeedOwner } from '../../model.ts'
import { shapeEvents } from '../../operations/shape-events.ts'
import { lockHead, takeNumber } from '../../store/heads.ts'
import type { QuarantinedEvent, Retried } from '../model.ts'
import {
  appendQuarantined,
  endQuarantined,
  findQuarantined,
  isReplaced,
  lockQuarantined,
} from '../store/quarantined-events.ts'

/**
 * Appends the event to its feed again, under its id, if it matches its schema now. All channels get it as their next
 * event. One whose key has a later event is obsolete: state never runs backwards.
 */
export async function retryEvent(feed: FeedContext, id: EventId): Promise<Retried> {
  const kept = await feed.database.read((read) => findQuarantined(read, id))
  if (kept === null) return { outcome: 'unknown' }
  const owner = ownerOf(kept)
  const shape = owner.kind === 'service' ? shapeQueuedEvent : shapeCustomerEvent
  const { shaped, misfits } = await shapeEvents<unknown>(feed, owner, [kept], shape)
  const [misfit] = misfits
  if (misfit !== undefined) return { outcome: 'misfit', reason: misfit.reason }
  return feed.database.transaction((tx) => appendAgain(feed, tx, kept, shaped.length > 0))
}

async function appendAgain(
  { clock }: FeedContext,
  tx: Tx,
  kept: QuarantinedEvent,
  isWanted: boolean,
): Promise<Retried> {
  const { ownerId, accountId, ownerKind: kind, id } = kept
  // Before the search for later events: none can be appended until the transaction ends.
  if ((await lockHead(tx, ownerId)) === null || !(await lockQuarantined(tx, id))) return { outcome: 'unknown' }
  const now = clock.now()
  const isDelivered = isWanted && !(await isReplaced(tx, kept))
  if (isDelivered) {
    const no = await takeNumber(tx, { ownerId, accountId, kind })
    if (no === null) throw new Error('the locked head of a feed gave no number')
    await appendQuarantined(tx, kept, { no, partition: partitionOf(now), now })
  }
  await endQuarantined(tx, [id], now)
  return { outcome: isDelivered ? 'delivered' : 'obsolete' }
}

function ownerOf({ ownerId, accountId, ownerKind }: QuarantinedEvent): FeedOwner {
  return ownerKind === 'service'
    ? { kind: 'service', companyId: accountId, serviceId: brandOf(ownerId) }
    : { kind: 'account', accountId }
}

/** The kind of the owner says which id it is. */
function brandOf(ownerId: QuarantinedEvent['ownerId']): ServiceId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the owner of a service's feed is a service
  return ownerId as ServiceId
}
