import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import { hintKinds } from '../wire/hint.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { nullableText, Timestamp, Uuid } from '../wire/scalars.ts'

/** Companies reach these routes too and get `company_connections.persons_only` there. */
const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const owner = { document: 'account', callers: ['portal', 'person'] } as const

const deviceId = Type.Object({ id: Type.String({ maxLength: 64, description: 'The id of the trusted device.' }) })
const subscriptionId = Type.Object({
  ...deviceId.properties,
  subscriptionId: Type.String({ maxLength: 64, description: 'The id of the subscription.' }),
})

const PushSubscription = Type.Object(
  {
    id: Uuid,
    origin: Type.String({ description: 'The push service.', examples: ['https://push.example.com'] }),
    created_at: Timestamp,
  },
  { title: 'PushSubscription' },
)

export const openHintStream = defineOperation({
  id: 'hints.stream',
  method: 'GET',
  path: '/api/customer/stream',
  document: 'customer',
  summary: 'Hints to a device of a person, as server-sent events',
  description:
    'Each `hint` event has the data `{"kind", "id"}`; read the object again by its own route. Kinds: ' +
    `${Object.keys(hintKinds).join(', ')}. ` +
    'The header `Last-Event-ID` continues after that event; hints are kept for a day. `reread` says that hints are missing: ' +
    'read everything again. `reconnect` is the last event of a stream whose server ends it; the stream also ends with its ' +
    'token, session and account. Comments keep the connection open.',
  callers: customers,
  rate: 'data',
  jsonOnly: true,
  success: { status: 200, about: 'The stream', mediaType: 'text/event-stream', streams: true },
  errors: ['company_connections.persons_only'],
})

export const subscribeToPush = defineOperation({
  ...owner,
  id: 'push.subscribe',
  method: 'POST',
  path: '/api/account/trusted-devices/{id}/push',
  summary: 'Send hints to a device by Web Push',
  description:
    'The JSON form of the PushSubscription that the browser made with `application_server_key`. A push message is `{"kind", "id"}`, ' +
    'sealed to the keys of the subscription. The same endpoint again replaces its keys. A device has at most ten subscriptions; ' +
    'one that its push service no longer knows is removed.',
  rate: 'data',
  creates: true,
  params: deviceId,
  body: Type.Object({
    endpoint: Type.String({
      maxLength: 2048,
      pattern: '^https://',
      description: 'The address at the push service.',
      examples: ['https://push.example.com/send/4f1c'],
    }),
    keys: Type.Object({
      p256dh: Type.String({
        maxLength: 100,
        description: 'base64url of an uncompressed P-256 point.',
        examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
      }),
      auth: Type.String({
        maxLength: 32,
        description: 'base64url of 16 bytes.',
        examples: ['BTBZMqHH6r4Tts7J_aSIgg'],
      }),
    }),
  }),
  success: { status: 201, about: 'The subscription', body: PushSubscription },
  errors: ['company_connections.persons_only', 'account.push_not_configured'],
})

export const listPushSubscriptions = defineOperation({
  ...owner,
  id: 'push.list',
  method: 'GET',
  path: '/api/account/trusted-devices/{id}/push',
  summary: 'The push subscriptions of a device',
  rate: 'data',
  params: deviceId,
  query: Type.Object(pageQuery),
  success: {
    status: 200,
    about: 'The subscriptions, oldest first',
    body: Type.Object({
      ...pageOf(PushSubscription).properties,
      application_server_key: nullableText({
        description:
          'base64url of the public VAPID key, for `pushManager.subscribe`; null while Web Push is not configured.',
      }),
    }),
  },
  errors: ['company_connections.persons_only'],
})

export const unsubscribeFromPush = defineOperation({
  ...owner,
  id: 'push.unsubscribe',
  method: 'DELETE',
  path: '/api/account/trusted-devices/{id}/push/{subscriptionId}',
  summary: 'Stop sending hints to a device',
  rate: 'data',
  params: subscriptionId,
  success: { status: 204, about: 'The subscription is gone' },
  errors: ['company_connections.persons_only'],
})
