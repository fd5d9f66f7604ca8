import { bodyOf, flowAuthor, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Bound, intake, openRuns, pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const runs = await openRuns(world)
const { service, customer, partner, targets, flowId } = runs
const DEADLINE_MS = 15_000
const MISSING = '019a0000-0000-7000-8000-00000000dead'

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

const keyOf = async (answering: Answering) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

async function arrived(who: Bound, id: string, status: string): Promise<void> {
  await waitUntil(`${status} has arrived`, DEADLINE_MS, async () => {
    return (await runs.readAs(who, id)).body['status'] === status
  })
}

test('a run has its version, its parties and their connections [RUN-08] [RUN-11] [RUN-25]', async () => {
  const run = await runs.begun({ targets, flow_version: 1 })
  expect(run).toMatchObject({
    flow_id: flowId,
    flow_version: 1,
    service_id: service.serviceId,
    status: 'awaiting_us',
    current_node: 'ask',
    output_mode: 'data_only',
    connection_id: customer.connectionId,
    company_user_id: service.company.companyId,
    bindings: { us: service.company.companyId, customer: customer.userId, partner: partner.userId },
    participants: [
      { party_key: 'us', person_user_id: service.company.companyId, connection_id: null, documents: [] },
      { party_key: 'customer', person_user_id: customer.userId, connection_id: customer.connectionId, documents: [] },
      { party_key: 'partner', person_user_id: partner.userId, connection_id: partner.connectionId, documents: [] },
    ],
    parties: [
      { key: 'us', label: 'Us' },
      { key: 'customer', label: 'Customer' },
      { key: 'partner', label: 'Partner' },
    ],
    reference_date: world.time().slice(0, 10),
    private_slugs: [],
    owner_tag_values: null,
    tag_values: null,
    source_files: {},
    data_deleted_at: null,
  })
  await arrived(customer, run.id, 'awaiting_us')
  const theirs = (await runs.readAs(customer, run.id)).body
  expect(theirs['participants']).toMatchObject([
    { connection_id: null },
    { connection_id: customer.connectionId },
    { connection_id: null },
  ])
  expect(theirs['definition']).toEqual(run['definition' as keyof typeof run])
  await arrived(partner, run.id, 'awaiting_us')
  expect((await runs.readAs(partner, run.id)).body['connection_id']).toBe(partner.connectionId)
  const cancelled = await bodyOf(partner.calls('POST', `${pathOf(partner, run.id)}/cancel`))
  expect(cancelled['connection_id']).toBe(partner.connectionId)
})

test('a start that cannot bind every party is refused and stores nothing', async () => {
  const { customer: theirs, partner: company } = targets
  const refused: readonly (readonly [object, number, string])[] = [
    [{}, 400, 'flows.bindings_invalid'],
    [{ targets: { customer: theirs } }, 400, 'flows.bindings_invalid'],
    [{ target: theirs }, 400, 'flows.bindings_invalid'],
    [{ targets: { customer: company, partner: theirs } }, 400, 'flows.bindings_invalid'],
    [{ targets: { ...targets, us: theirs } }, 400, 'flows.bindings_invalid'],
    [{ targets: { ...targets, none: theirs } }, 400, 'flows.bindings_invalid'],
    [{ targets, bindings: { customer: partner.userId } }, 400, 'flows.bindings_invalid'],
    [{ targets: { ...targets, partner: { connection_id: MISSING } } }, 404, 'flows.connection_not_found'],
    [{ targets: { ...targets, partner: { connection_id: 'x' } } }, 404, 'flows.connection_not_found'],
    [{ targets, flow_version: 2 }, 409, 'flows.version_changed'],
    [{ targets, source_files: [{ source_key: 'a', for_user_id: 'b', file: 'c' }] }, 400, 'flows.source_files_invalid'],
  ]
  const before = await world.rows('select count(*) from flows_service.run where service_id = $1', [service.serviceId])
  for (const [body, status, key] of refused) expect(await keyOf(runs.start(body))).toEqual([status, key])
  const draft = await flowAuthor(service).create(intake())
  const path = (id: string) => `/api/company-data/flows/${id}/runs`
  expect(await keyOf(service.data('POST', path(MISSING), { body: { targets } }))).toEqual([404, 'flows.not_found'])
  expect(await keyOf(service.data('POST', path(draft.flowId), { body: { targets } }))).toEqual([
    409,
    'flows.not_published',
  ])
  const after = await world.rows('select count(*) from flows_service.run where service_id = $1', [service.serviceId])
  expect(after).toEqual(before)
})

test('untyped parties are bound by the caller', async () => {
  const untyped = intake({
    parties: ['us', 'customer', 'partner'].map((key) => ({ key, label: key })),
  })
  const { flowId: id } = await flowAuthor(service).published(untyped)
  const start = (body: object) => service.data('POST', `/api/company-data/flows/${id}/runs`, { body })
  const us = service.company.companyId
  const alone = await bodyOf(start({ bindings: { us, customer: customer.userId, partner: partner.userId } }), 201)
  expect(alone['bindings']).toEqual({ us, customer: customer.userId, partner: partner.userId })
  const target = { connection_id: customer.connectionId }
  const mixed = await bodyOf(start({ target, bindings: { us, partner: partner.userId } }), 201)
  expect(mixed['bindings']).toEqual({ us, customer: customer.userId, partner: partner.userId })
  const alike = await bodyOf(start({ target, bindings: { us } }), 201)
  expect(alike['bindings']).toEqual({ us, customer: customer.userId, partner: customer.userId })
  const won = { target, bindings: { us, customer: partner.userId } }
  expect((await bodyOf(start(won), 201))['bindings']).toEqual({
    us,
    customer: partner.userId,
    partner: customer.userId,
  })
  expect(await keyOf(start({ bindings: { us, customer: us, partner: us } }))).toEqual([400, 'flows.no_counterparty'])
  expect(await keyOf(start({ bindings: { us, customer: MISSING }, target }))).toEqual([400, 'flows.bindings_invalid'])
  expect(await keyOf(start({ target }))).toEqual([400, 'flows.bindings_invalid'])
})

test('runs are listed by status and page, for the owner and the customers', async () => {
  const own = await openRuns(world)
  const first = await own.begun()
  const second = await own.begun()
  await bodyOf(own.answer(second.id, { amount: '1' }, { next_node: 'tell' }))
  const list = async (query: string) => {
    const { items } = await bodyOf(own.service.data('GET', `${RUNS}?${query}`))
    return (items as { id: string }[]).map(({ id }) => id)
  }
  expect(await list('')).toEqual([first.id, second.id])
  expect(await list('status=awaiting_customer')).toEqual([second.id])
  expect(await list('status=awaiting_company')).toEqual([first.id])
  expect(await list('awaiting=owner')).toEqual([first.id])
  expect(await list('status=completed,awaiting_us')).toEqual([first.id])
  expect(await list('status=nothing')).toEqual([])
  const { items } = await bodyOf(own.service.data('GET', `${RUNS}?status=awaiting_customer`))
  expect(items).toMatchObject([
    { id: second.id, flow_id: own.flowId, flow_version: 1, status: 'awaiting_customer', current_node: 'tell' },
  ])
  const page = await bodyOf(own.service.data('GET', `${RUNS}?limit=1`))
  expect(await list(`limit=1&cursor=${String(page['next_cursor'])}`)).toEqual([second.id])
  const path = `/api/services/${own.service.serviceId}/flows/${own.flowId}/runs`
  expect((await bodyOf(own.service.portal('GET', path)))['items']).toHaveLength(2)
  await waitUntil('both have arrived', DEADLINE_MS, async () => {
    const { body } = await own.customer.calls('GET', pathOf(own.customer, '').slice(0, -1))
    return (body['runs'] as unknown[]).length === 2
  })
  expect(await keyOf(own.service.data('GET', `${RUNS}/${MISSING}`))).toEqual([404, 'flows.run_not_found'])
})

test('a run of another service or account answers like a missing one', async () => {
  const { id } = await runs.begun()
  const other = await openRuns(world)
  await arrived(customer, id, 'awaiting_us')
  expect(await keyOf(other.service.data('GET', `${RUNS}/${id}`))).toEqual([404, 'flows.run_not_found'])
  expect(await keyOf(other.service.data('POST', `${RUNS}/${id}/cancel`))).toEqual([404, 'flows.run_not_found'])
  expect(await keyOf(other.customer.calls('GET', pathOf(other.customer, id)))).toEqual([404, 'flows.run_not_found'])
  expect(await keyOf(other.customer.calls('GET', pathOf(customer, id)))).toEqual([
    404,
    'company_data.connection_not_found',
  ])
  expect((await world.anonymous('GET', `${RUNS}/${id}`)).status).toBe(401)
  expect((await bodyOf(other.service.data('GET', `${RUNS}?limit=500`)))['items']).toEqual([])

  // The same for everything else that a data client names by an id.
  const connection = `/api/company-data/connections/${customer.connectionId}`
  const unknown = [404, 'company_data.connection_not_found']
  for (const path of [connection, `${connection}/messages`])
    expect(await keyOf(other.service.data('GET', path))).toEqual(unknown)
  const body = { kind: 'document', name: 'A', payload_kind: 'json', value: { a: 1 } }
  const document = await bodyOf(service.data('POST', '/api/company-data/documents', { body }), 201)
  const path = `/api/company-data/documents/${String(document['id'])}`
  expect(await keyOf(service.data('GET', path))).toEqual([200, undefined])
  expect(await keyOf(other.service.data('GET', path))).toEqual([404, 'documents.not_found'])
  expect(await keyOf(other.service.data('DELETE', path))).toEqual([404, 'documents.not_found'])
  await service.drain()
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  expect((await other.service.drain()).filter(({ connection_id: one }) => one === customer.connectionId)).toEqual([])
  expect(await service.events(1)).toMatchObject([{ event: 'flow_run_turn', flow_run_id: id }])
})

test('run routes of the data API are for the service client, whose token names the service', async () => {
  const { id } = await runs.begun()
  expect(await bodyOf(service.data('GET', `${RUNS}/${id}?service_id=${MISSING}`))).toMatchObject({
    id,
    service_id: service.serviceId,
  })
  const client = await service.company.accountClient(['service_management', 'customer_connections'])
  for (const calls of [client.calls, service.portal, customer.calls]) {
    expect((await calls('GET', `${RUNS}/${id}`)).status).toBe(403)
    expect((await calls('POST', `/api/company-data/flows/${flowId}/runs`, { body: { targets } })).status).toBe(403)
    expect((await calls('POST', `${RUNS}/${id}/answers`, { body: { answers: [] } })).status).toBe(403)
    expect((await calls('POST', `${RUNS}/${id}/cancel`)).status).toBe(403)
  }
})

test('customer routes are for persons and for account clients with customer_connections', async () => {
  const { id } = await runs.begun()
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  await arrived(customer, id, 'awaiting_customer')
  await bodyOf(runs.answerAs(customer, id, { nick: 'M' }, { next_node: 'confirm' }))
  await arrived(partner, id, 'awaiting_partner')
  const may = await runs.other.accountClient(['customer_connections'])
  const mayNot = await runs.other.accountClient(['service_management'])
  const path = pathOf(partner, id)
  expect(await keyOf(mayNot.calls('GET', path))).toEqual([403, 'auth.client_endpoint_forbidden'])
  expect(await keyOf(service.data('GET', path))).toEqual([403, 'auth.client_endpoint_forbidden'])
  expect(await bodyOf(may.calls('GET', path))).toMatchObject({ id, connection_id: partner.connectionId })
  const answers = [{ slug: 'reference', values: await runs.copies('R') }]
  expect(await bodyOf(may.calls('POST', `${path}/answers`, { body: { answers, leaf: true } }))).toMatchObject({
    status: 'completed',
  })
})

test('a run keeps its version: later edits of the flow do not reach it', async () => {
  const author = flowAuthor(service)
  const flow = await author.published(intake(), 'Pinned')
  const start = () =>
    bodyOf(service.data('POST', `/api/company-data/flows/${flow.flowId}/runs`, { body: { targets } }), 201)
  const run = await start()
  const [first, ...rest] = intake().nodes
  const changed = { ...intake(), nodes: [{ ...first, title: 'Other' }, ...rest], edges: intake().edges.slice(0, 1) }
  await author.publish(await author.save(flow, { ...changed, nodes: changed.nodes.slice(0, 2) }))
  const id = String(run['id'])
  expect(await runs.read(id)).toMatchObject({ flow_version: 1, definition: run['definition'] })
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  await arrived(customer, id, 'awaiting_customer')
  expect((await runs.readAs(customer, id)).body['definition']).toEqual(run['definition'])
  // A step that only the pinned version has.
  expect(await bodyOf(runs.answerAs(customer, id, { nick: 'M' }, { next_node: 'prove' }))).toMatchObject({
    current_node: 'prove',
    definition: run['definition'],
  })
  expect(await start()).toMatchObject({ flow_version: 2, definition: { nodes: [{ title: 'Other' }, {}] } })
})

test('a manager starts, lists, reads, answers and cancels runs of an own service', async () => {
  const path = `/api/services/${service.serviceId}/flows/${flowId}/runs`
  const client = await service.company.accountClient(['service_management'])
  for (const calls of [service.portal, client.calls]) {
    const run = await bodyOf(calls('POST', path, { body: { targets } }), 201)
    const at = `${path}/${String(run['id'])}`
    expect((await bodyOf(calls('GET', `${path}?limit=500`)))['items']).toContainEqual(
      expect.objectContaining({ id: run['id'], status: 'awaiting_us' }),
    )
    const answers = [{ slug: 'amount', values: await runs.copies('3') }]
    const answered = await bodyOf(calls('POST', `${at}/answers`, { body: { answers, next_node: 'tell' } }))
    expect(answered).toMatchObject({ status: 'awaiting_customer' })
    expect(await bodyOf(calls('GET', at))).toEqual(answered)
    expect(await runs.read(String(run['id']))).toEqual(answered)
    expect(await bodyOf(calls('POST', `${at}/cancel`))).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'us',
      cancel_reason: null,
    })
  }
  const other = await world.service([])
  const stranger = await other.company.accountClient(['service_management'])
  const unmanaged = await service.company.accountClient(['customer_connections'])
  const foreign = `/api/services/${other.serviceId}/flows/${flowId}/runs`
  for (const at of [path, `${path}/${MISSING}`]) {
    expect(await keyOf(stranger.calls('GET', at))).toEqual([404, 'services.not_found'])
    expect(await keyOf(unmanaged.calls('GET', at))).toEqual([403, 'auth.client_endpoint_forbidden'])
  }
  expect(await keyOf(stranger.calls('POST', path, { body: { targets } }))).toEqual([404, 'services.not_found'])
  expect(await keyOf(client.calls('GET', foreign))).toEqual([404, 'services.not_found'])
  expect(await keyOf(stranger.calls('GET', foreign))).toEqual([404, 'flows.not_found'])
})

test('the end of a connection or an account cancels its runs, which stay readable', async () => {
  const own = await openRuns(world)
  const ended = await own.begun()
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await own.readAs(own.partner, ended.id)).status === 200)
  await own.partner.calls('DELETE', `/api/company-connections/${own.partner.connectionId}`)
  expect(await own.read(ended.id)).toMatchObject({ status: 'cancelled', cancelled_by: 'partner' })
  for (const who of [own.partner, own.customer])
    await waitUntil('they see it', DEADLINE_MS, async () => {
      return (await own.readAs(who, ended.id)).body['status'] === 'cancelled'
    })
  const other = await openRuns(world)
  const { id } = await other.begun()
  await other.person.erase()
  await waitUntil('it is cancelled', DEADLINE_MS, async () => (await other.read(id))['status'] === 'cancelled')
  expect(await keyOf(other.answer(id, { amount: '1' }, { next_node: 'tell' }))).toEqual([
    409,
    'account.counterparty_deleted',
  ])
  expect(await keyOf(other.service.data('POST', `${RUNS}/${id}/cancel`))).toEqual([409, 'account.counterparty_deleted'])
})
