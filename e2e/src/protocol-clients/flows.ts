import { templatePdf } from '@sealpost/pdf-format/testing'
import { addDevice, type World } from '@sealpost/testkit'
import { expect } from 'vitest'
import { type Backend, openBackend } from './backend.ts'
import { seal } from './crypto.ts'
import { type Access, call, listOf, type Members, must, type Reply } from './http.ts'
import { connectPerson } from './parties.ts'
import { send } from './raw-request.ts'

export const RUNS = '/api/company-data/flow-runs'
const TEMPLATE = templatePdf({ contents: ['BT /F1 12 Tf 50 700 Td (Contract with {{nick}}) Tj ET'] })

/** A service with a person as its customer, and the calls of its runs. */
export async function openFlows(world: World) {
  const backend = await openBackend(world, [{ slug: 'nick', type: 'text' }])
  const { data, key } = backend
  const us = backend.company.companyId
  const account = await world.person({ displayName: 'Mara Lindt' })
  const phone = await addDevice(account)
  const person = await connectPerson(backend, account)
  const target = { target: { connection_id: person.connectionId } }
  function post(path: string, members: object, access: Access = data): Promise<Reply> {
    return send(access, `POST ${path}\nContent-Type: application/json\n\n${JSON.stringify(members)}`)
  }

  const ownPath = (id: string): string => `/api/company-connections/${person.connectionId}/flow-runs/${id}`

  /** One copy for each party, as text. */
  function copies(text: string) {
    return [
      { for_user_id: us, value: seal(key.members.public_key, text) },
      { for_user_id: person.userId, value: seal(person.publicKey, text) },
    ]
  }

  const answers = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([slug, text]) => ({ slug, values: copies(text) }))

  async function start(flowId: string, members: object): Promise<Members & { readonly id: string }> {
    const reply = await post(`/api/company-data/flows/${flowId}/runs`, members)
    expect([reply.status, reply.body['error']]).toEqual([201, undefined])
    return { ...reply.body, id: String(reply.body['id']) }
  }

  const read = async (id: string): Promise<Members> => (await send(data, `GET ${RUNS}/${id}`)).body

  async function untilTheirs(id: string, status: string): Promise<void> {
    await expect.poll(async () => (await send(person.access, `GET ${ownPath(id)}`)).body['status']).toBe(status)
  }

  /** Answers up to the company's last step, without a proof. */
  async function toTheEnd(flowId: string): Promise<string> {
    const { id } = await start(flowId, target)
    await must(200, post(`${RUNS}/${id}/answers`, { answers: answers({ amount: '7' }), next_node: 'tell' }))
    await untilTheirs(id, 'awaiting_customer')
    const told = { answers: answers({ nick: 'Mara' }), next_node: 'end' }
    await must(200, post(`${ownPath(id)}/answers`, told, person.access))
    return id
  }

  async function drained(id: string): Promise<readonly Members[]> {
    const { body } = await send(data, 'GET /api/company-data/changes?limit=500')
    return listOf(body['changes']).filter((event) => event['flow_run_id'] === id || event['document_id'] !== undefined)
  }

  return {
    ...backend,
    us,
    phone,
    person,
    target,
    post,
    ownPath,
    copies,
    answers,
    start,
    read,
    untilTheirs,
    toTheEnd,
    drained,
  }
}

function field(slug: string, field_type: string) {
  return { kind: 'field', slug, field_type, label: slug, required: true }
}

/** The company asks an amount; above 100 the person adds a proof. `last` are members of the last step. */
export function questions(output_mode: string, last: object) {
  const over = { field: 'amount', op: 'gt', value: 100 }
  return {
    entry: 'ask',
    output_mode,
    parties: [
      { key: 'company', label: 'Company', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [
      { key: 'ask', party: 'company', title: 'Amount', elements: [field('amount', 'number')] },
      { key: 'prove', party: 'customer', title: 'Proof', elements: [field('proof', 'document')] },
      { key: 'tell', party: 'customer', title: 'You', elements: [field('nick', 'text')] },
      { key: 'end', party: 'company', title: 'End', elements: [], ...last },
    ],
    edges: [
      { from: 'ask', to: 'prove', sort: 0, condition: over },
      { from: 'ask', to: 'tell', sort: 1, condition: null },
      { from: 'prove', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'end', sort: 0, condition: null },
    ],
    constants: [],
  }
}

type Authoring = Pick<Backend, 'portal' | 'serviceId'>

/** Authored in the portal; answers the id of the flow. */
export async function publish({ portal, serviceId }: Authoring, definition: object): Promise<string> {
  const path = `/api/portal/services/${serviceId}/flows`
  const draft = await must(201, call(portal, 'POST', path, { body: { name: 'Intake', definition } }))
  const body = { draft_token: draft['draft_token'] }
  await must(200, call(portal, 'POST', `${path}/${String(draft['id'])}/publish`, { body }))
  return String(draft['id'])
}

export async function publishContract({ portal, serviceId }: Authoring): Promise<string> {
  const path = `/api/portal/services/${serviceId}/flows`
  const draft = await must(201, call(portal, 'POST', path, { body: { name: 'Contract' } }))
  const at = `${path}/${String(draft['id'])}`
  const file = `data:application/pdf;base64,${Buffer.from(TEMPLATE).toString('base64')}`
  const { asset_key } = await must(
    201,
    call(portal, 'POST', `${at}/assets`, { body: { file, original_name: 'a.pdf' } }),
  )
  const signers = [{ party: 'customer', action: 'sign' }]
  const outputs = [
    { output_key: 'contract', name: 'Contract', rules: [{ asset_key, condition: null, languages: 'all', signers }] },
  ]
  const definition = questions('document', { language_party: 'customer', outputs })
  const saved = await must(200, call(portal, 'PUT', at, { body: { draft_token: draft['draft_token'], definition } }))
  await must(200, call(portal, 'POST', `${at}/publish`, { body: { draft_token: saved['draft_token'] } }))
  return String(draft['id'])
}
