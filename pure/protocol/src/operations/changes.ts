import Type, { type TSchema } from 'typebox'
import { type CustomerEvent, customerEvents } from '../events/customer.ts'
import type { EventEntry } from '../events/entry.ts'
import { namedEvent } from '../events/named.ts'
import { type QueuedEvent, queuedEvents } from '../events/service.ts'
import { defineOperation } from '../operation.ts'
import { pageQuery } from '../wire/paging.ts'

const drainQuery = {
  limit: pageQuery.limit,
  listener: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description:
        'Reads a channel of this name and drains nothing else. The first poll opens it; it holds events from then on and is deleted an hour after the last poll.',
    }),
  ),
  attempt_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Names this page. Within 5 minutes the same name and parameters return the same events again, so that a lost answer loses nothing.',
    }),
  ),
} as const

const webhookId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'Drains the backlog of this webhook instead.' }),
)

export const drainChanges = defineOperation({
  id: 'company_data.drain_changes',
  method: 'GET',
  path: '/api/company-data/changes',
  document: 'company-data',
  summary: 'Take the next changes from the feed',
  description:
    'Returns the oldest queued events and removes them once the answer has been sent. Events wait 7 days. Delivery is at least once: deduplicate by `id`.',
  callers: ['service_client'],
  rate: 'changes',
  drains: true,
  query: Type.Object({ ...drainQuery, webhook_id: webhookId }),
  success: { status: 200, about: 'The events, oldest first', body: drained(anyOf<QueuedEvent>(queuedEvents)) },
  errors: ['company_data.attempt_invalid', 'services.webhook_not_found'],
})

export const drainCustomerChanges = defineOperation({
  id: 'customer.drain_changes',
  method: 'GET',
  path: '/api/customer/changes',
  document: 'customer',
  summary: 'Take the next changes of a company that is a customer of others',
  description: 'Like the feed of a service, for the actions of other companies on the connections of this one.',
  callers: ['account_client', 'portal'],
  rate: 'changes',
  drains: true,
  query: Type.Object(drainQuery),
  success: {
    status: 200,
    about: 'The events, oldest first',
    body: drained(anyOf<CustomerEvent>(customerEvents, 'Customer')),
  },
  errors: ['company_data.attempt_invalid'],
})

function drained<Event extends TSchema>(event: Event) {
  return Type.Object({
    changes: Type.Array(event),
    has_more: Type.Boolean({ description: 'Whether another page waits.' }),
  })
}

/** Any event of a feed, told apart by `event`; each has its own name in the documents. */
function anyOf<Event>(events: Readonly<Record<string, EventEntry>>, prefix = '') {
  const described = Object.entries(events).map(([kind, entry]) => namedEvent(kind, entry, prefix))
  return Type.Unsafe<Event>(Type.Union(described))
}
