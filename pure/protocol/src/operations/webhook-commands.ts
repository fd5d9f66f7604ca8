import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { nullableText, Timestamp, Uuid } from '../wire/scalars.ts'
import { Webhook, webhookErrors, webhookManagers, webhookParams } from './webhooks.ts'

/** The reason for a POST to a webhook. */
export const deliveryKinds = ['live', 'probe', 'replay', 'test'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

export const pauseWebhook = defineOperation({
  id: 'webhooks.pause',
  method: 'POST',
  path: '/api/services/{id}/webhooks/{webhookId}/pause',
  document: 'account',
  summary: 'Pause a webhook',
  description: 'Events are still queued for it, for 7 days each.',
  callers: webhookManagers,
  rate: 'data',
  params: webhookParams,
  success: { status: 200, about: 'The webhook as it is now', body: Webhook },
  errors: webhookErrors,
})

export const resumeWebhook = defineOperation({
  id: 'webhooks.resume',
  method: 'POST',
  path: '/api/services/{id}/webhooks/{webhookId}/resume',
  document: 'account',
  summary: 'Resume a paused webhook',
  description: 'Queued events are sent in order, the oldest as a probe.',
  callers: webhookManagers,
  rate: 'data',
  params: webhookParams,
  success: { status: 200, about: 'The webhook as it is now', body: Webhook },
  errors: webhookErrors,
})

export const probeWebhook = defineOperation({
  id: 'webhooks.probe',
  method: 'POST',
  path: '/api/services/{id}/webhooks/{webhookId}/probe',
  document: 'account',
  summary: 'Probe a failing webhook now',
  description:
    'Sends the oldest event of its backlog now instead of after the probe delay. Does nothing for a healthy webhook.',
  callers: webhookManagers,
  rate: 'data',
  params: webhookParams,
  success: { status: 200, about: 'The webhook as it is now', body: Webhook },
  errors: webhookErrors,
})

export const testWebhook = defineOperation({
  id: 'webhooks.test',
  method: 'POST',
  path: '/api/services/{id}/webhooks/{webhookId}/test',
  document: 'account',
  summary: 'Send a test event to a webhook',
  description: 'One event `test`, sent at once. The result changes neither queue nor health.',
  callers: webhookManagers,
  rate: 'data',
  params: webhookParams,
  success: {
    status: 200,
    about: 'The result of the test',
    body: Type.Object(
      {
        http_status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Null without an answer.' }),
        duration_ms: Type.Integer({ minimum: 0 }),
        error_class: nullableText({ description: 'Why there was no answer, in one word.' }),
      },
      { title: 'WebhookTest' },
    ),
  },
  errors: webhookErrors,
})

export const replayWebhook = defineOperation({
  id: 'webhooks.replay',
  method: 'POST',
  path: '/api/services/{id}/webhooks/{webhookId}/replay',
  document: 'account',
  summary: 'Send parked or earlier events again',
  description:
    'Without `since` the backlog is sent now; with it every event of the last 7 days from then on, also those that were ' +
    'delivered before. In order, with their durable ids.',
  callers: webhookManagers,
  rate: 'data',
  params: webhookParams,
  body: Type.Object({ since: Type.Optional(Type.String({ format: 'date-time' })) }),
  allowsEmptyBody: true,
  creates: true,
  success: {
    status: 202,
    about: 'How many events wait now',
    body: Type.Object({ queued: Type.Integer({ minimum: 0 }) }),
  },
  errors: webhookErrors,
})

export const listDeliveries = defineOperation({
  id: 'webhooks.list_deliveries',
  method: 'GET',
  path: '/api/services/{id}/webhooks/{webhookId}/deliveries',
  document: 'account',
  summary: 'The deliveries of a webhook',
  description: 'Newest first; kept for 7 days. Bodies are never included.',
  callers: webhookManagers,
  delegateRole: 'operator',
  rate: 'data',
  params: webhookParams,
  query: Type.Object(pageQuery),
  success: {
    status: 200,
    about: 'The attempts',
    body: pageOf(
      Type.Object(
        {
          id: Uuid,
          event: Type.String(),
          event_id: Uuid,
          kind: Type.Enum([...deliveryKinds]),
          http_status: Type.Unsafe<number | null>({
            type: ['integer', 'null'],
            description: 'Null without an answer.',
          }),
          duration_ms: Type.Integer({ minimum: 0 }),
          error_class: nullableText({ description: 'Why there was no answer, in one word.' }),
          at: Timestamp,
        },
        { title: 'WebhookDelivery' },
      ),
    ),
  },
  errors: webhookErrors,
})
