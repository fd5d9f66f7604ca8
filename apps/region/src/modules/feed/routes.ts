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
import type { BindRoute } from '../../bind.ts'
import { type Caller, clientOf } from '../../caller.ts'
import { type ShapeEvent, tellEvents } from './deliver.ts'
import { acknowledge, release, takePage } from './drain.ts'
import type { FeedNeeds } from './needs.ts'
import type { FeedOwner } from './owner.ts'
import type { Lease } from './store/pages.ts'

export function bindFeedRoutes(bind: BindRoute, needs: FeedNeeds): void {
  bind({
    operation: drainChanges,
    handle: ({ caller, query }) => drain(needs, serviceOf(caller), query, shapeQueuedEvent),
  })
  bind({
    operation: drainCustomerChanges,
    handle: ({ caller, query }) =>
      drain(needs, { kind: 'account', accountId: caller.accountId }, query, shapeCustomerEvent),
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

/** Nothing is open in the database while the answer is written; what became of it decides what becomes of the events. */
async function drain<Event>(
  needs: FeedNeeds,
  owner: FeedOwner,
  query: DrainQuery,
  shape: ShapeEvent<Event>,
): Promise<Answer<Drained<Event>>> {
  const { listener = null, attempt_id: attemptId = null } = query
  const page = await takePage(needs, { owner, limit: limitOf(query), listener, attemptId, webhookId: webhookOf(query) })
  const { lease } = page
  const onClosed = lease === null ? {} : { onClosed: (isDelivered: boolean) => settle(needs, lease, isDelivered) }
  try {
    const changes = await tellEvents(needs, owner, page.events, shape)
    const headers = page.isRepeated ? { headers: REPEATED } : {}
    return answer({ changes, has_more: page.hasMore }, { isExact: true, ...headers, ...onClosed })
  } catch (error) {
    if (lease !== null) settle(needs, lease, false)
    throw error
  }
}

function settle(needs: FeedNeeds, lease: Lease, isDelivered: boolean): void {
  if (isDelivered)
    needs.afterwards('a page was delivered and could not be taken off its feed', () => acknowledge(needs, lease))
  else needs.afterwards('a page was not delivered and could not be given back', () => release(needs, lease))
}

/** The pattern of the query has let nothing else through. */
function limitOf({ limit }: DrainQuery): number {
  const read = parsePageQuery(limit === undefined ? {} : { limit })
  if (!read.ok) throw refuse('request.invalid', { details: [read.refusal] })
  return read.value.limit
}

/** Whatever cannot be the name of a webhook is the name of none. */
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
  if (serviceId === null) throw new Error('a service client without a service')
  return { kind: 'service', companyId, serviceId }
}
