import { bodyOf, type Calls, flowAuthor, type openWorld, sealTo, type Service } from '@sealpost/testkit'
import { intake } from '../../flows/testing/definitions.ts'

export { intake }

type World = Awaited<ReturnType<typeof openWorld>>

export const RUNS = '/api/company-data/flow-runs'

/** A customer that a party is bound to. */
export interface Bound {
  readonly userId: string
  readonly calls: Calls
  readonly publicKey: string
  readonly connectionId: string
}

/** Writes the definition for a service that exists by then. */
export type Define = (service: Service) => object | Promise<object>

/** Further fields that the service requests, and what the person shares for them. */
export interface SharingWish {
  readonly fields?: Parameters<World['service']>[0]
  readonly shared?: Parameters<World['customer']>[1]
}

/** A service in eu with a person in us and a company in us, and a published flow. */
export async function openRuns(world: World, definition: object | Define = intake(), wish: SharingWish = {}) {
  const service = await world.service([{ slug: 'name' }, ...(wish.fields ?? [])])
  const { person, connectionId } = await world.customer(service, wish.shared ?? [])
  const other = await world.company({ region: 'us' })
  const customer: Bound = {
    userId: person.user.userId,
    calls: person.calls,
    publicKey: person.user.keys.publicKey,
    connectionId,
  }
  const partner: Bound = {
    userId: other.user.userId,
    calls: other.calls,
    publicKey: other.user.keys.publicKey,
    connectionId: await other.connected(service),
  }
  const written = isDefine(definition) ? await definition(service) : definition
  const { flowId } = await flowAuthor(service).published(written)
  const targets = {
    customer: { connection_id: customer.connectionId },
    partner: { connection_id: partner.connectionId },
  }
  const copies = async (text: string) => [
    { for_user_id: service.company.companyId, value: await service.seal(text) },
    { for_user_id: customer.userId, value: await sealTo(customer.publicKey, text) },
    { for_user_id: partner.userId, value: await sealTo(partner.publicKey, text) },
  ]
  const start = (body: object = { targets }) => service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body })
  return {
    world,
    service,
    person,
    other,
    customer,
    partner,
    flowId,
    targets,
    copies,
    start,
    begun: async (body?: object) => {
      const run = await bodyOf(start(body), 201)
      return { ...run, id: String(run['id']) }
    },
    read: (id: string) => bodyOf(service.data('GET', `${RUNS}/${id}`)),
    answer: async (id: string, answers: Readonly<Record<string, string>>, to: object) =>
      service.data('POST', `${RUNS}/${id}/answers`, { body: { answers: await answersOf(copies, answers), ...to } }),
    answerAs: async (who: Bound, id: string, answers: Readonly<Record<string, string>>, to: object) =>
      who.calls('POST', `${pathOf(who, id)}/answers`, { body: { answers: await answersOf(copies, answers), ...to } }),
    readAs: (who: Bound, id: string) => who.calls('GET', pathOf(who, id)),
  }
}

function isDefine(definition: object | Define): definition is Define {
  return typeof definition === 'function'
}

export type Runs = Awaited<ReturnType<typeof openRuns>>

export function pathOf({ connectionId }: Pick<Bound, 'connectionId'>, runId: string): string {
  return `/api/company-connections/${connectionId}/flow-runs/${runId}`
}

async function answersOf(
  copies: (text: string) => Promise<readonly object[]>,
  answers: Readonly<Record<string, string>>,
): Promise<readonly object[]> {
  const said: object[] = []
  for (const [slug, text] of Object.entries(answers)) said.push({ slug, values: await copies(text) })
  return said
}
