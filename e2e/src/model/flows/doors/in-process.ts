import { ApiError, type ErrorKey } from '@sealpost/protocol'
import { createFlow, parseFlowName, publishFlow } from '@sealpost/region/flows/testing'
import {
  answerAsCustomer,
  answerAsOwner,
  cancelAsCustomer,
  cancelAsOwner,
  locateAsCustomer,
  locateAsOwner,
  readAsCustomer,
  readAsOwner,
  stageSource,
  startRun,
  storeFileAsCustomer,
  storeFileAsOwner,
} from '@sealpost/region/runs/testing'
import type { Service, World } from '@sealpost/testkit'
import type { ActorDoor, Customer, Door, Outcome } from './door.ts'

/** Calls the operations of the two regions; messages between them go over the bus as ever. */
export function inProcessDoor(world: World): Door {
  const modulesOf = (region: string) => (region === 'eu' ? world.eu : world.us).modules
  const flowsOf = (service: Service) => modulesOf(service.company.region).flows
  const runsOf = (service: Service) => modulesOf(service.company.region).runs.service
  const draft = (service: Service, definition: object) =>
    createFlow(flowsOf(service), nameOf(service), author(service), { name: 'A random flow', definition })
  return {
    async publish(service, definition) {
      const { id, draft_token } = await draft(service, definition)
      await publishFlow(flowsOf(service), parseFlowName(nameOf(service), id), author(service), { draft_token })
      return id
    },
    draft: async (service, definition) => (await draft(service, definition)).id,
    stage: (service, flowId, body) => outcomeOf(() => stageSource(runsOf(service), nameOf(service), flowId, body)),
    start: (service, flowId, trigger) => outcomeOf(() => startRun(runsOf(service), nameOf(service), flowId, trigger)),
    owner: (service) => ownerDoor(runsOf(service), nameOf(service)),
    customer: (customer) => customerDoor(modulesOf(customer.account.region).runs.customer, customer),
  }
}

function nameOf({ company, serviceId }: Service) {
  return { companyId: company.companyId, serviceId }
}

function author({ company }: Service) {
  return { userId: company.userId }
}

type RunsContext = Parameters<typeof startRun>[0]
type CustomerContext = Parameters<typeof locateAsCustomer>[0]

function ownerDoor(context: RunsContext, service: Parameters<typeof startRun>[1]): ActorDoor {
  const locate = (runId: string) => locateAsOwner(context, service, runId)
  return {
    read: (runId) => outcomeOf(async () => readAsOwner(context, await locate(runId))),
    answer: (runId, { answers, ...to }) =>
      outcomeOf(async () => answerAsOwner(context, await locate(runId), { answers: itemsOf(answers), ...to })),
    upload: (runId, { slug, for_user_id, value }) =>
      outcomeOf(async () => {
        const body = { slug: String(slug), for_user_id: String(for_user_id), value }
        return storeFileAsOwner(context, await locate(runId), body)
      }),
    cancel: (runId, reason) => outcomeOf(async () => cancelAsOwner(context, await locate(runId), reason)),
  }
}

function customerDoor(context: CustomerContext, { account, connectionId }: Customer): ActorDoor {
  const locate = (runId: string) => locateAsCustomer(context, account.userId, connectionId, runId)
  return {
    read: (runId) => outcomeOf(async () => readAsCustomer(context, await locate(runId))),
    answer: (runId, { answers, ...to }) =>
      outcomeOf(async () => answerAsCustomer(context, await locate(runId), { answers: itemsOf(answers), ...to }, null)),
    upload: (runId, { slug, for_user_id, value }) =>
      outcomeOf(async () => {
        const body = { slug: String(slug), for_user_id: String(for_user_id), value }
        return storeFileAsCustomer(context, await locate(runId), body)
      }),
    cancel: (runId, reason) => outcomeOf(async () => cancelAsCustomer(context, await locate(runId), reason, null)),
  }
}

function itemsOf(answers: unknown): readonly object[] {
  return Array.isArray(answers) ? answers.map((one: unknown) => ({ ...(typeof one === 'object' ? one : {}) })) : []
}

async function outcomeOf(act: () => Promise<object>): Promise<Outcome> {
  try {
    return { ok: true, body: { ...(await act()) } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const key: ErrorKey = error.key
    return { ok: false, key, status: error.status, body: error.body() }
  }
}
