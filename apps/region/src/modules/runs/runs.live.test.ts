import { bodyOf, flowAuthor, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Bound, intake, openRuns, pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const runs = await openRuns(world)
const { service, customer, partner, targets, flowId } = runs
const other = await openRuns(world)
const us = service.company.companyId
const author = flowAuthor(service)
const DEADLINE_MS = 15_000
const MISSING = '019a0000-0000-7000-8000-00000000dead'

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

const keyOf = async (answering: Answering) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

const startOf = (id: string, body: object) => service.data('POST', `/api/company-data/flows/${id}/runs`, { body })

async function arrived(who: Bound, id: string, status: string) {
  await waitUntil(`${status} has arrived`, DEADLINE_MS, async () => {
    return (await runs.readAs(who, id)).body['status'] === status
  })
  return (await runs.readAs(who, id)).body
}

test('a run has its names, parties, connections and state [RUN-08] [RUN-10] [RUN-11] [RUN-25] [RUN-29] [RUN-32] [RUN-33] [RUN-34]', async () => {
  const run = await bodyOf(runs.start({ targets, flow_version: 1 }), 201)
  const id = String(run['id'])
  const parties = [
    { party_key: 'us', person_user_id: us, connection_id: null, documents: [] },
    { party_key: 'customer', person_user_id: customer.userId, connection_id: customer.connectionId, documents: [] },
    { party_key: 'partner', person_user_id: partner.userId, connection_id: partner.connectionId, documents: [] },
  ]
  expect(run).toMatchObject({
    flow_id: flowId,
    flow_version: 1,
    service_id: service.serviceId,
    status: 'awaiting_us',
    current_node: 'ask',
    output_mode: 'data_only',
    connection_id: customer.connectionId,
    company_user_id: us,
    bindings: { us, customer: customer.userId, partner: partner.userId },
    participants: parties,
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
  expect(await runs.read(id)).toEqual(run)
  const theirs = await arrived(customer, id, 'awaiting_us')
  expect(theirs['participants']).toMatchObject([
    { connection_id: null },
    { connection_id: customer.connectionId },
    { connection_id: null },
  ])
  expect(theirs).toMatchObject({ connection_id: customer.connectionId, definition: run['definition'] })
  expect((await arrived(partner, id, 'awaiting_us'))['connection_id']).toBe(partner.connectionId)
  const cancelled = await bodyOf(partner.calls('POST', `${pathOf(partner, id)}/cancel`))
  expect(cancelled['connection_id']).toBe(partner.connectionId)
})

test('a start that cannot bind every party is refused and stores nothing [RUN-03] [RUN-04] [RUN-10] [RUN-11] [RUN-13] [RUN-15]', async () => {
  const { customer: theirs, partner: company } = targets
  const invalid = [400, 'flows.bindings_invalid']
  const unknown = [404, 'flows.connection_not_found']
  const refused = [
    [{}, invalid],
    [{ targets: { customer: theirs } }, invalid],
    [{ target: theirs }, invalid],
    [{ targets: { customer: company, partner: theirs } }, invalid],
    [{ targets: { ...targets, us: theirs } }, invalid],
    [{ targets: { ...targets, none: theirs } }, invalid],
    [{ targets, bindings: { customer: partner.userId } }, invalid],
    ...[MISSING, 'x', other.partner.connectionId].map(
      (connection_id) => [{ targets: { ...targets, partner: { connection_id } } }, unknown] as const,
    ),
    [{ targets, flow_version: 2 }, [409, 'flows.version_changed']],
    [
      { targets, source_files: [{ source_key: 'a', for_user_id: 'b', file: 'c' }] },
      [400, 'flows.source_files_invalid'],
    ],
  ] as const
  const stored = () => world.rows('select count(*) from flows_service.run where service_id = $1', [service.serviceId])
  const before = await stored()
  for (const [body, answer] of refused) expect([body, await keyOf(runs.start(body))]).toEqual([body, answer])
  const { flowId: draft } = await author.create(intake())
  expect(await keyOf(startOf(MISSING, { targets }))).toEqual([404, 'flows.not_found'])
  expect(await keyOf(startOf(draft, { targets }))).toEqual([409, 'flows.not_published'])
  expect(await stored()).toEqual(before)
})

test('untyped parties are bound by the caller: bindings win, target binds the rest [RUN-09] [RUN-13] [RUN-14]', async () => {
  const parties = ['us', 'customer', 'partner'].map((key) => ({ key, label: key }))
  const { flowId: id } = await author.published(intake({ parties }))
  const bound = async (body: object) => (await bodyOf(startOf(id, body), 201))['bindings']
  const [one, two] = [customer.userId, partner.userId]
  const target = targets.customer
  const all = { us, customer: one, partner: two }
  expect(await bound({ bindings: all })).toEqual(all)
  expect(await bound({ target, bindings: { us, partner: two } })).toEqual(all)
  expect(await bound({ target, bindings: { us } })).toEqual({ us, customer: one, partner: one })
  expect(await bound({ target, bindings: { us, customer: two } })).toEqual({ us, customer: two, partner: one })
  for (const body of [
    { bindings: { us, customer: one } },
    { bindings: { us, customer: MISSING }, target },
    { bindings: { ...all, us: two } },
    { target },
  ])
    expect([body, await keyOf(startOf(id, body))]).toEqual([body, [400, 'flows.bindings_invalid']])
  expect(await keyOf(startOf(id, { bindings: { us, customer: us, partner: us } }))).toEqual([
    400,
    'flows.no_counterparty',
  ])
})

test('a run keeps the version that it began with; a start names the latest [FLOW-02] [RUN-16] [RUN-27]', async () => {
  const flow = await author.published(intake(), 'Pinned')
  const run = await bodyOf(startOf(flow.flowId, { targets, flow_version: 1 }), 201)
  const id = String(run['id'])
  const expr = { type: 'lit', value_type: 'number', value: 1 }
  const constants = [{ key: 'k', label: '', result_type: 'number', expr, shown_on: ['ask'] }]
  const [first, second] = intake().nodes
  const nodes = [{ ...first, title: 'Other' }, second]
  await author.publish(await author.save(flow, intake({ nodes, edges: intake().edges.slice(0, 1), constants })))
  expect(await keyOf(startOf(flow.flowId, { targets, flow_version: 1 }))).toEqual([409, 'flows.version_changed'])
  expect(await bodyOf(startOf(flow.flowId, { targets, flow_version: 2 }), 201)).toMatchObject({
    flow_version: 2,
    definition: { nodes: [{ title: 'Other' }, {}], constants: [{ key: 'k' }] },
  })
  expect(await bodyOf(startOf(flow.flowId, { targets }), 201)).toMatchObject({ flow_version: 2 })
  expect(await runs.read(id)).toMatchObject({ flow_version: 1, definition: run['definition'] })
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  expect((await arrived(customer, id, 'awaiting_customer'))['definition']).toEqual(run['definition'])
  // A step that only the pinned version has.
  expect(await bodyOf(runs.answerAs(customer, id, { nick: 'M' }, { next_node: 'prove' }))).toMatchObject({
    current_node: 'prove',
    definition: run['definition'],
  })
})

test('the day of the start is stamped once, in UTC [RUN-26]', async () => {
  // Half an hour before midnight: in any zone to the east it is the next day.
  const DAY_MS = 24 * 3_600_000
  world.clock.advance((2 * DAY_MS - DAY_MS / 48 - (Date.parse(world.time()) % DAY_MS)) % DAY_MS)
  const { id } = await runs.begun()
  const today = world.time().slice(0, 10)
  expect(await runs.read(id)).toMatchObject({ reference_date: today })
  world.clock.advance(DAY_MS / 24)
  expect(world.time().slice(0, 10)).not.toBe(today)
  expect(await runs.read(id)).toMatchObject({ reference_date: today })
  expect(await runs.begun()).toMatchObject({ reference_date: world.time().slice(0, 10) })
})

test('runs are listed by status and page, for the owner and the customers [RUN-28]', async () => {
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
  expect(await list('status=completed')).toEqual([])
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
})

test('a run of another service or account answers like a missing one, and so does everything else [AUTH-03] [RUN-30]', async () => {
  const { id } = await runs.begun()
  await arrived(customer, id, 'awaiting_us')
  expect(await keyOf(service.data('GET', `${RUNS}/${MISSING}`))).toEqual([404, 'flows.run_not_found'])
  expect(await keyOf(other.service.data('GET', `${RUNS}/${id}`))).toEqual([404, 'flows.run_not_found'])
  for (const act of ['cancel', 'answers', 'generate'])
    expect(await keyOf(other.service.data('POST', `${RUNS}/${id}/${act}`, { body: { answers: [] } }))).toEqual([
      404,
      'flows.run_not_found',
    ])
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
  const message = { body: { body: await other.service.seal('hello') } }
  expect(await keyOf(other.service.data('POST', `${connection}/messages`, message))).toEqual(unknown)
  expect(await keyOf(other.service.data('DELETE', connection))).toEqual(unknown)
  for (const path of [`slots/${service.row('name')}/file`, `flow-links/${runs.flowId}/proof/file`])
    expect([path, ...(await keyOf(other.service.data('GET', `${connection}/${path}`)))]).toEqual([path, ...unknown])
  const boundary = { body: { message_id: MISSING } }
  expect(await keyOf(other.service.data('POST', `${connection}/messages/read`, boundary))).toEqual(unknown)
  const { id: webhook } = await service.webhook()
  const backlog = `/api/company-data/changes?webhook_id=${webhook}`
  expect(await keyOf(service.data('GET', backlog))).toEqual([200, undefined])
  expect(await keyOf(other.service.data('GET', backlog))).toEqual([404, 'services.webhook_not_found'])
  const body = { kind: 'document', name: 'A', payload_kind: 'json', value: { a: 1 } }
  const document = await bodyOf(service.data('POST', '/api/company-data/documents', { body }), 201)
  const path = `/api/company-data/documents/${String(document['id'])}`
  expect(await keyOf(service.data('GET', path))).toEqual([200, undefined])
  expect(await keyOf(other.service.data('GET', path))).toEqual([404, 'documents.not_found'])
  expect(await keyOf(other.service.data('PUT', path, { body: { name: 'B' } }))).toEqual([404, 'documents.not_found'])
  expect(await keyOf(other.service.data('DELETE', path))).toEqual([404, 'documents.not_found'])
  await service.drain()
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  expect((await other.service.drain()).filter(({ connection_id: one }) => one === customer.connectionId)).toEqual([])
  expect(await service.events(1)).toMatchObject([{ event: 'flow_run_turn', flow_run_id: id }])
})

test('run routes of the data API are for the service client, whose token names the service [AUTH-12]', async () => {
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

test('customer routes are for persons and for account clients with customer_connections [AUTH-13]', async () => {
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

test('the end of a connection or an account cancels its runs, which stay readable [RUN-57]', async () => {
  const own = await openRuns(world)
  const ended = await own.begun()
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await own.readAs(own.partner, ended.id)).status === 200)
  await own.partner.calls('DELETE', `/api/company-connections/${own.partner.connectionId}`)
  expect(await own.read(ended.id)).toMatchObject({ status: 'cancelled', cancelled_by: 'partner' })
  for (const who of [own.partner, own.customer])
    await waitUntil('they see it', DEADLINE_MS, async () => {
      return (await own.readAs(who, ended.id)).body['status'] === 'cancelled'
    })
  const left = await openRuns(world)
  const { id } = await left.begun()
  await left.person.erase()
  await waitUntil('it is cancelled', DEADLINE_MS, async () => (await left.read(id))['status'] === 'cancelled')
  expect(await keyOf(left.answer(id, { amount: '1' }, { next_node: 'tell' }))).toEqual([
    409,
    'account.counterparty_deleted',
  ])
  expect(await keyOf(left.service.data('POST', `${RUNS}/${id}/cancel`))).toEqual([409, 'account.counterparty_deleted'])
})
