import { type Calls, flowAuthor } from '@sealpost/testkit'
import type { ActorDoor, Door, Outcome } from './door.ts'

type Answering = ReturnType<Calls>

/** The same over HTTP; the owner acts through the data client, or as a manager in the portal. */
export function wireDoor(isManaged: boolean): Door {
  return {
    publish: async (service, definition) => (await flowAuthor(service).published(definition)).flowId,
    draft: async (service, definition) => (await flowAuthor(service).create(definition)).flowId,
    stage: (service, flowId, body) =>
      outcomeOf(
        isManaged
          ? service.portal('POST', `/api/services/${service.serviceId}/flows/${flowId}/run-files`, { body })
          : service.data('POST', `/api/company-data/flows/${flowId}/run-files`, { body }),
      ),
    start: (service, flowId, body) =>
      outcomeOf(
        isManaged
          ? service.portal('POST', `/api/services/${service.serviceId}/flows/${flowId}/runs`, { body })
          : service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body }),
      ),
    owner: (service) => actorDoor(service.data, '/api/company-data/flow-runs'),
    customer: ({ account, connectionId }) =>
      actorDoor(account.calls, `/api/company-connections/${connectionId}/flow-runs`),
  }
}

function actorDoor(calls: Calls, runs: string): ActorDoor {
  return {
    read: (runId) => outcomeOf(calls('GET', `${runs}/${runId}`)),
    answer: (runId, body) => outcomeOf(calls('POST', `${runs}/${runId}/answers`, { body })),
    upload: (runId, body) => outcomeOf(calls('POST', `${runs}/${runId}/answer-files`, { body })),
    cancel: (runId, reason) =>
      outcomeOf(calls('POST', `${runs}/${runId}/cancel`, { body: reason === null ? {} : { reason } })),
  }
}

async function outcomeOf(answering: Answering): Promise<Outcome> {
  const { status, body } = await answering
  if (status < 300) return { ok: true, body }
  return { ok: false, key: String(body['error_key']), status, body }
}
