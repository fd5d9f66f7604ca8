import { answer, type Answer } from '@sealpost/http'
import { parseUuid, type WebhookId } from '@sealpost/kernel'
import {
  drainChanges,
  drainCustomerChanges,
  parsePageQuery,
  refuse,
  shapeCustomerEvent,
  shapeQueuedEvent,
} from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import { type Caller, clientOf } from '../../platform/caller.ts'
import type { FeedContext } from './context.ts'
import type { FeedOwner, Lease } from './model.ts'
import { acknowledge, drainPage, release } from './operations/drain.ts'
import { type ReaderName, renderEvents } from './operations/render-events.ts'
import type { ShapeEvent } from './operations/shape-events.ts'

export function bindFeedRoutes(bind: BindRoute, feed: FeedContext): void {
  bind({
    operation: drainChanges,
    handle: ({ caller, query }) => drain(feed, serviceOf(caller), query, shapeQueuedEvent),
  })
  bind({
    operation: drainCustomerChanges,
    handle: ({ caller, query }) =>
      drain(feed, { kind: 'account', accountId: caller.accountId }, query, shapeCustomerEvent),
  })
}

interface DrainQuery {
  readonly limit?: string
  readonly listener?: string
  readonly webhook_id?: string
  readonly attempt_id?: string
}

interface Drained<Event> {
  readonly changes: Event[]
  readonly has_more: boolean
}

const REPEATED = { 'idempotent-replayed': 'true' }

/** No transaction is open while the answer is written; when it ends, its page is acknowledged or released. */
async function drain<Event>(
  feed: FeedContext,
  owner: FeedOwner,
  query: DrainQuery,
  shape: ShapeEvent<Event>,
): Promise<Answer<Drained<Event>>> {
  const { listener = null, attempt_id: attemptId = null } = query
  const webhookId = webhookOf(query)
  const page = await drainPage(feed, { owner, limit: limitOf(query), listener, attemptId, webhookId })
  const { lease } = page
  const onClosed = lease === null ? {} : { onClosed: (isDelivered: boolean) => completeLease(feed, lease, isDelivered) }
  try {
    const changes = await renderEvents(feed, { owner, reader: readerOf(listener, webhookId) }, page.events, shape)
    const headers = page.isRepeated ? { headers: REPEATED } : {}
    return answer({ changes, has_more: page.hasMore }, { isExact: true, ...headers, ...onClosed })
  } catch (error) {
    if (lease !== null) completeLease(feed, lease, false)
    throw error
  }
}

function readerOf(listener: string | null, webhookId: WebhookId | null): ReaderName {
  if (webhookId !== null) return `webhook ${webhookId}`
  return listener === null ? 'plain channel' : `listener ${listener}`
}

function completeLease(feed: FeedContext, lease: Lease, isDelivered: boolean): void {
  if (isDelivered) feed.runAfterAnswer('a delivered page could not be acknowledged', () => acknowledge(feed, lease))
  else feed.runAfterAnswer('an undelivered page could not be released', () => release(feed, lease))
}

/** The schema of the query admits only numbers. */
function limitOf({ limit }: DrainQuery): number {
  const read = parsePageQuery(limit === undefined ? {} : { limit })
  if (!read.ok) throw refuse('request.invalid', { details: [read.refusal] })
  return read.value.limit
}

/** An id that is not a UUID answers like a missing webhook. */
function webhookOf({ webhook_id: named, listener }: DrainQuery): WebhookId | null {
  if (named === undefined) return null
  if (listener !== undefined)
    throw refuse('request.invalid', { details: [{ path: '/query/listener', message: 'cannot go with webhook_id' }] })
  const id = parseUuid<WebhookId>(named)
  if (id === null) throw refuse('services.webhook_not_found')
  return id
}

function serviceOf(caller: Caller): FeedOwner {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('the caller is a service client without a service id')
  return { kind: 'service', companyId, serviceId }
}
