import { setTimeout as delay } from 'node:timers/promises'
import { type EventId, formatInstant } from '@sealpost/kernel'
import type { ServiceEvent } from '@sealpost/protocol'
import type { WebhooksContext } from '../../context.ts'
import type { Endpoint, ErrorClass } from '../model.ts'
import { buildMessage, prepareEndpoint } from './message.ts'
import { failedAttempt, sendMessage } from './send-message.ts'

export interface TestOutcome {
  readonly eventId: EventId
  readonly httpStatus: number | null
  readonly durationMs: number
  readonly errorClass: ErrorClass | null
}

/** Sends one `test` event past queue and health. Never inside a transaction. */
export async function sendTest(webhooks: WebhooksContext, endpoint: Endpoint): Promise<TestOutcome> {
  const { clock, ids, settings, monotonicMs } = webhooks
  const startedMs = monotonicMs()
  const at = clock.now()
  const id = ids.uuid<EventId>()
  const event: ServiceEvent<'test'> = {
    id,
    event: 'test',
    person_user_id: null,
    share_code: null,
    at: formatInstant(at),
    connection_id: null,
    service_id: endpoint.name.serviceId,
    customer_type: null,
  }
  const prepared = await prepareEndpoint(settings.HEADER_VENDOR, endpoint)
  const { httpStatus, durationMs, errorClass } = prepared.ok
    ? await sendMessage(webhooks, () => buildMessage(ids, prepared.value, { event, durableId: id, isLive: false, at }))
    : { ...failedAttempt('config', prepared.refusal), durationMs: 0 }
  // The time until the answer says as much as the cause does: [Note: webhooks do not scan ports].
  if (errorClass === 'no_answer') await delay(Math.max(0, startedMs + settings.WEBHOOK_TOTAL_MS - monotonicMs()))
  return { eventId: id, httpStatus, durationMs, errorClass }
}
