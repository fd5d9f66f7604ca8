import type { EventId, WebhookId } from '@sealpost/kernel'
import { type QueuedEvent, shapeQueuedEvent } from '@sealpost/protocol'
import type { FeedContext } from '../../context.ts'
import { renderEvents } from '../../operations/render-events.ts'
import { includes } from '../../rules/ranges.ts'
import { oldestVisible } from '../../rules/retention.ts'
import type { ClaimedQueue, PendingBatch, PendingEvent, RenderedEvents, WebhookName } from '../model.ts'
import { type Ahead, scanAhead } from '../store/pending-events.ts'

/** Events of one queue per read. */
const BATCH = 32

/** The next events of queues that the caller holds, each in the order of sending. */
export async function readPendingEvents(
  { database, clock }: Pick<FeedContext, 'database' | 'clock'>,
  held: readonly Pick<ClaimedQueue, 'name' | 'channel'>[],
): Promise<ReadonlyMap<WebhookId, PendingBatch>> {
  const searches = held.map(({ name: { serviceId }, channel }) => ({ key: { serviceId, channel }, excluded: '{}' }))
  const options = { visibleFrom: oldestVisible(clock.now()), limit: BATCH }
  const found = await database.read((read) => scanAhead(read, searches, options))
  const batches = new Map<WebhookId, PendingBatch>()
  for (const [i, { name }] of held.entries()) {
    const its = found.get(i)
    if (its !== undefined) batches.set(name.webhookId, batchOf(its))
  }
  return batches
}

/** Order comes before speed: the batch ends before the first event that is leased to a manual drain. */
function batchOf({ events, scannedTo, leased, leasedForMs }: Ahead): PendingBatch {
  const blocked = leased.length === 0 ? -1 : events.findIndex(({ no }) => includes(leased, no))
  if (blocked === -1) return { events, scannedTo, blockedForMs: null }
  const first = events[blocked]?.no ?? scannedTo + 1
  return { events: events.slice(0, blocked), scannedTo: first - 1, blockedForMs: Math.max(0, leasedForMs) }
}

/** The events as they are sent now: [Note: resolved at delivery]. */
export async function renderPendingEvents(
  feed: FeedContext,
  { companyId, serviceId, webhookId }: WebhookName,
  events: readonly PendingEvent[],
): Promise<RenderedEvents<QueuedEvent>> {
  const by = { owner: { kind: 'service', companyId, serviceId }, reader: `webhook ${webhookId}` } as const
  const rendered = await renderEvents(feed, by, events, shapeQueuedEvent)
  const byId = new Map<string, QueuedEvent>(rendered.map((event) => [event.id, event]))
  const all: [EventId, QueuedEvent][] = []
  for (const { id } of events) {
    const event = byId.get(id)
    if (event !== undefined) all.push([id, event])
  }
  return new Map(all)
}
