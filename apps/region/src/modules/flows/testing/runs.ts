import { bodyOf, type Calls, flowAuthor, type openWorld, sealTo } from '@sealpost/testkit'

type World = Awaited<ReturnType<typeof openWorld>>

export const RUNS = '/api/company-data/flow-runs'

/** A customer that a party is bound to. */
export interface Bound {
  readonly userId: string
  readonly calls: Calls
  readonly publicKey: string
  readonly connectionId: string
}

/**
 * The owner asks an amount, then a person and another company answer; above 100 the person adds a file. It ends at the
 * company's step.
 */
export function intake(more: Readonly<Record<string, unknown>> = {}) {
  const over = { field: 'amount', op: 'gt', value: 100 }
  return {
    entry: 'ask',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
      { key: 'partner', label: 'Partner', type: 'company' },
    ],
    nodes: [
      { key: 'ask', party: 'us', title: 'Amount', elements: [field('amount', 'number')] },
      { key: 'tell', party: 'customer', title: 'About you', elements: [field('nick'), field('note', 'text', false)] },
      { key: 'prove', party: 'customer', title: 'Proof', elements: [field('proof', 'document')] },
      { key: 'confirm', party: 'partner', title: 'Confirm', elements: [field('reference')] },
    ],
    edges: [
      { from: 'ask', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'prove', sort: 0, condition: over },
      { from: 'tell', to: 'confirm', sort: 1, condition: null },
      { from: 'prove', to: 'confirm', sort: 0, condition: null },
    ],
    constants: [],
    ...more,
  }
}

function field(slug: string, field_type = 'text', required = true) {
  return { kind: 'field', slug, field_type, label: slug, required }
}

/** A service in eu with a person in us and a company in us, and a published flow. */
export async function openRuns(world: World, definition: object = intake()) {
  const service = await world.service([{ slug: 'name' }])
  const { person, connectionId } = await world.customer(service, [])
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
  const { flowId } = await flowAuthor(service).published(definition)
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
