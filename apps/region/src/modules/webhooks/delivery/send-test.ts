import { type EventId, formatInstant } from '@sealpost/kernel'
import type { ServiceEvent } from '@sealpost/protocol'
import type { Endpoint } from './endpoint.ts'
import { buildMessage, prepareEndpoint } from './message.ts'
import type { SendNeeds } from './needs.ts'
import { type ErrorClass, failedAttempt } from './outcome.ts'
import { sendMessage } from './send.ts'

export interface TestOutcome {
  readonly eventId: EventId
  readonly httpStatus: number | null
  readonly durationMs: number
  readonly errorClass: ErrorClass | null
}

/** One event `test`, sent as any other and seen by neither queue nor health. Never inside a transaction. */
export async function sendTest(needs: SendNeeds, endpoint: Endpoint): Promise<TestOutcome> {
  const at = needs.clock.now()
  const id = needs.ids.uuid<EventId>()
  const event: ServiceEvent<'test'> = {
    id,
    event: 'test',
    person_user_id: null,
    share_code: null,
    at: formatInstant(at),
    connection_id: null,
    service_id: endpoint.name.serviceId,
  }
  const prepared = await prepareEndpoint(needs.headerVendor, endpoint)
  const { httpStatus, durationMs, errorClass } = prepared.ok
    ? await sendMessage(needs, () =>
        buildMessage(needs.ids, prepared.value, { event, durableId: id, isLive: false, at }),
      )
    : { ...failedAttempt('config', prepared.refusal), durationMs: 0 }
  return { eventId: id, httpStatus, durationMs, errorClass }
}
