import { namedEvent } from '../events/named.ts'
import { serviceEvents } from '../events/service.ts'
import { type Components, printSchema } from './components.ts'
import { exampleOf } from './example.ts'
import type { JsonObject } from './json.ts'

/** The tag of all webhooks. */
export const WEBHOOK_TAG = 'webhooks'

const DELIVERY =
  'Sent to each webhook that subscribes to the event, one at a time and in order. Verify a signature over the raw body ' +
  'before you use it, deduplicate by `webhook-id`, and answer 200 when the event is durable: any other status counts as a ' +
  'failure. With `encrypt_payload` the body is an envelope to the account key, with this JSON or XML inside.'

/** The `webhooks` of OpenAPI 3.1: one for each event that a service can receive. */
export function webhookObjects(components: Components, vendor: string): JsonObject {
  return Object.fromEntries(
    Object.entries(serviceEvents).map(([kind, entry]) => {
      const event = namedEvent(kind, entry)
      const schema = printSchema(event, components)
      const content = {
        'application/json': { schema, example: exampleOf(event) },
        'application/xml': { schema: { ...schema, xml: { name: 'response' } } },
      }
      const post = {
        operationId: `webhook.${kind}`,
        tags: [WEBHOOK_TAG],
        summary: entry.about,
        description: DELIVERY,
        security: [],
        parameters: headersOf(vendor),
        requestBody: { required: true, content },
        responses: { '200': { description: 'You have stored the event' } },
      }
      return [kind, { post }]
    }),
  )
}

function headersOf(vendor: string): readonly JsonObject[] {
  return [
    header(`X-${vendor}-Webhook-Id`, 'The webhook that sends.'),
    header(`X-${vendor}-Event`, 'The event; absent with `encrypt_payload`.', false),
    header('webhook-id', 'The same for every attempt and replay of an event.'),
    header('webhook-timestamp', 'The time of the attempt, in seconds since 1970.'),
    header(
      'webhook-signature',
      'With `hmac`: `v1,` and base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`; several during a rotation.',
      false,
    ),
    header(`X-${vendor}-Signature`, 'With `hmac`: lower-case hex of HMAC-SHA256 over the body.', false),
  ]
}

function header(name: string, description: string, required = true): JsonObject {
  return { name, in: 'header', required, description, schema: { type: 'string' } }
}
