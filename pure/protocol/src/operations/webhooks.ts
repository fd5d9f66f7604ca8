import Type from 'typebox'
import { queuedEvents, type SubscribableEventKind } from '../events/service.ts'
import { defineOperation } from '../operation.ts'
import { checkedByRule, requiredByRule } from '../wire/checked-by-rule.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { NullableTimestamp, nullableText, Timestamp, Uuid } from '../wire/scalars.ts'

export const webhookFormats = ['json', 'xml'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

export const webhookAuthTypes = ['hmac', 'bearer', 'basic', 'header', 'none'] as const
export type WebhookAuthType = (typeof webhookAuthTypes)[number]

/** The state of a webhook's health. */
export const webhookStates = ['running', 'bad', 'unknown'] as const
export type WebhookState = (typeof webhookStates)[number]

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of that very object
const eventNames = Object.keys(queuedEvents) as SubscribableEventKind[]

const masked = (of: string) =>
  nullableText({ description: `${of}: four bullets and the last 4 characters; for a short one the bullets only.` })

const webhookMembers = {
  id: Uuid,
  url: Type.String(),
  events: Type.Array(Type.Enum(eventNames), { description: 'Empty subscribes to all.' }),
  format: Type.Enum([...webhookFormats]),
  auth_type: Type.Enum([...webhookAuthTypes]),
  encrypt_payload: Type.Boolean({ description: 'The whole body is sealed to the account key.' }),
  enabled: Type.Boolean({ description: 'While false, and on the level free, nothing is queued and nothing is sent.' }),
  hmac_secret: masked('The signing secret'),
  auth_token: masked('The bearer token'),
  auth_username: masked('The user name'),
  auth_password: masked('The password'),
  auth_header_name: masked('The name of the header'),
  auth_header_value: masked('The value of the header'),
  created_at: Timestamp,
  paused: Type.Boolean({ description: 'While true events are queued and not sent.' }),
  health: Type.Object(
    {
      state: Type.Enum([...webhookStates]),
      since: Timestamp,
      backlog_count: Type.Integer({ minimum: 0 }),
      backlog_oldest_at: NullableTimestamp,
      last_error: nullableText({
        description:
          'Why the last delivery failed, or that the secrets cannot be opened; null once deliveries succeed again.',
      }),
    },
    { title: 'WebhookHealth' },
  ),
}

const HmacSecretOnce = nullableText({
  title: 'HmacSecretOnce',
  description: 'The signing secret that this call generated, shown in this answer only; null when none was generated.',
})

export const Webhook = Type.Object(webhookMembers, { title: 'Webhook' })
const WebhookWithSecret = Type.Object(
  { ...webhookMembers, hmac_secret_once: HmacSecretOnce },
  { title: 'WebhookWithSecret' },
)

const serviceId = { id: Type.String({ maxLength: 255, description: 'The id of the service.' }) }
export const webhookParams = Type.Object({
  ...serviceId,
  webhookId: Type.String({ maxLength: 255, description: 'The id of the webhook.' }),
})

const secretGiven = (description: string) => Type.Optional(nullableText({ maxLength: 4096, description }))

const WebhookGiven = Type.Object(
  {
    url: requiredByRule(
      Type.String({
        maxLength: 2048,
        description: 'An absolute `https://` or `http://` address without user name and password.',
        examples: ['https://hooks.example.com/sealpost'],
      }),
    ),
    events: Type.Optional(
      checkedByRule(Type.Array(Type.Enum(eventNames), { description: 'Empty or absent subscribes to all.' })),
    ),
    format: Type.Optional(checkedByRule(Type.Enum([...webhookFormats], { default: 'json' }))),
    auth_type: Type.Optional(checkedByRule(Type.Enum([...webhookAuthTypes], { default: 'hmac' }))),
    encrypt_payload: Type.Optional(Type.Boolean({ default: false })),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    hmac_secret: secretGiven('For `hmac`; generated when absent and none is stored.'),
    auth_token: secretGiven('For `bearer`: visible ASCII.'),
    auth_username: secretGiven('For `basic`: without `:`.'),
    auth_password: secretGiven('For `basic`.'),
    auth_header_name: secretGiven(
      'For `header`: `Authorization` or a name of your own; not Host, `Content-*`, `webhook-*` or one of the platform.',
    ),
    auth_header_value: secretGiven('For `header`: ASCII.'),
  },
  { title: 'WebhookGiven' },
)

export const webhookManagers = ['portal', 'delegate', 'account_client'] as const
const openErrors = ['services.not_found', 'services.second_factor_required'] as const
export const webhookErrors = [...openErrors, 'services.webhook_not_found'] as const
const settingErrors = [
  'services.webhook_url_invalid',
  'services.webhook_invalid',
  'services.webhook_auth_invalid',
] as const

export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/services/{id}/webhooks',
  document: 'account',
  summary: 'The webhooks of a service',
  callers: webhookManagers,
  delegateRole: 'operator',
  rate: 'data',
  params: Type.Object(serviceId),
  query: Type.Object(pageQuery),
  success: { status: 200, about: 'The webhooks, oldest first, with masked secrets', body: pageOf(Webhook) },
  errors: openErrors,
})

export const createWebhook = defineOperation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/services/{id}/webhooks',
  document: 'account',
  summary: 'Make a webhook',
  description:
    'It gets every event from now on. A service may have 10. A signing secret that the server generates is ' +
    'shown once; a copy is sealed for recovery.',
  callers: webhookManagers,
  rate: 'data',
  level: 'basic',
  params: Type.Object(serviceId),
  body: WebhookGiven,
  creates: true,
  onceOnly: ['hmac_secret_once'],
  success: { status: 201, about: 'The webhook', body: WebhookWithSecret },
  errors: [...openErrors, ...settingErrors, 'services.webhook_limit'],
})

export const readWebhook = defineOperation({
  id: 'webhooks.read',
  method: 'GET',
  path: '/api/services/{id}/webhooks/{webhookId}',
  document: 'account',
  summary: 'One webhook',
  callers: webhookManagers,
  delegateRole: 'operator',
  rate: 'data',
  params: webhookParams,
  success: { status: 200, about: 'The webhook, with masked secrets', body: Webhook },
  errors: webhookErrors,
})

export const changeWebhook = defineOperation({
  id: 'webhooks.change',
  method: 'PUT',
  path: '/api/services/{id}/webhooks/{webhookId}',
  document: 'account',
  summary: 'Replace the configuration of a webhook',
  description:
    'Absent members get their defaults. Secrets are the exception: one that is absent, empty or the mask that was read stays ' +
    'unchanged, null removes it. A new `hmac_secret` leaves the old one valid for a day. A webhook whose secrets can no longer ' +
    'be opened is repaired by a call that sends those of its `auth_type` again.',
  callers: webhookManagers,
  rate: 'data',
  params: webhookParams,
  body: WebhookGiven,
  success: { status: 200, about: 'The webhook as it is now', body: WebhookWithSecret },
  errors: [...webhookErrors, ...settingErrors, 'services.webhook_secret_limit'],
})

export const deleteWebhook = defineOperation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/services/{id}/webhooks/{webhookId}',
  document: 'account',
  summary: 'Delete a webhook',
  description: 'Its backlog is deleted with it.',
  callers: webhookManagers,
  rate: 'data',
  params: webhookParams,
  success: { status: 204, about: 'The webhook is deleted' },
  errors: webhookErrors,
})

export const regenerateHmacSecret = defineOperation({
  id: 'webhooks.regenerate_hmac_secret',
  method: 'POST',
  path: '/api/services/{id}/webhooks/{webhookId}/regenerate-hmac-secret',
  document: 'account',
  summary: 'Give a webhook a new signing secret',
  description:
    'During the grace both secrets sign `webhook-signature`, newest first, and so does every earlier one whose own grace has ' +
    'not ended: nine at most. `X-Platform-Signature` is made with the new one at once. With `grace_seconds` 0 every earlier ' +
    'secret ends at once.',
  callers: webhookManagers,
  rate: 'data',
  params: webhookParams,
  body: Type.Object({
    grace_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400 })),
  }),
  allowsEmptyBody: true,
  creates: true,
  onceOnly: ['hmac_secret_once'],
  success: {
    status: 200,
    about: 'The new secret, and until when the old one is valid',
    body: Type.Object({ hmac_secret_once: HmacSecretOnce, previous_valid_until: NullableTimestamp }),
  },
  errors: [...webhookErrors, 'services.webhook_auth_invalid', 'services.webhook_secret_limit'],
})
