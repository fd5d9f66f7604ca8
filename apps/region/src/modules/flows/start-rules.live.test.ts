import { bodyOf, flowAuthor, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Bound, intake, openRuns, pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const runs = await openRuns(world)
const { service, customer, partner, targets, flowId } = runs
const us = service.company.companyId
const author = flowAuthor(service)
const flow = `/api/company-data/flows/${flowId}`
const managed = `/api/services/${service.serviceId}/flows/${flowId}`
const DEADLINE_MS = 15_000
const MISSING = '019a0000-0000-7000-8000-00000000dead'

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

const keyOf = async (answering: Answering) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

/** A flow with two customers of no type. */
const untyped = intake({ parties: ['us', 'customer', 'partner'].map((key) => ({ key, label: key })) })
const startOf = (id: string, body: object) => service.data('POST', `/api/company-data/flows/${id}/runs`, { body })

async function arrived(who: Bound, id: string) {
  await waitUntil('the run has arrived', DEADLINE_MS, async () => (await runs.readAs(who, id)).status === 200)
  return (await runs.readAs(who, id)).body
}

test('the published version is read with the types of all request fields [RUN-01] [RUN-02]', async () => {
  const published = await bodyOf(service.data('GET', `${flow}/published`))
  expect(Object.keys(published).toSorted()).toEqual(['definition', 'request_field_types', 'version'])
  expect(published).toMatchObject({
    version: 1,
    definition: { entry: 'ask', output_mode: 'data_only', edges: [{}, {}, {}, {}] },
  })
  expect(published['request_field_types']).toEqual({ name: 'text' })
})

test('an unknown flow answers flows.not_found: published, run-files and start [RUN-03]', async () => {
  const path = `/api/company-data/flows/${MISSING}`
  expect(await keyOf(service.data('GET', `${path}/published`))).toEqual([404, 'flows.not_found'])
  const file = { source_user_id: customer.userId, value: 'x' }
  expect(await keyOf(service.data('POST', `${path}/run-files`, { body: file }))).toEqual([404, 'flows.not_found'])
  expect(await keyOf(startOf(MISSING, { targets }))).toEqual([404, 'flows.not_found'])
})

test('a flow without a version answers flows.not_published [RUN-04]', async () => {
  const { flowId: draft } = await author.create(intake())
  const path = `/api/company-data/flows/${draft}`
  expect(await keyOf(service.data('GET', `${path}/published`))).toEqual([409, 'flows.not_published'])
  expect(await keyOf(startOf(draft, { targets }))).toEqual([409, 'flows.not_published'])
})

test('a start answers 201 with the run, which awaits the party of the entry [RUN-08]', async () => {
  const started = await startOf(flowId, { targets, flow_version: 1 })
  expect(started.status).toBe(201)
  expect(started.body).toMatchObject({ status: 'awaiting_us', current_node: 'ask' })
  expect(await runs.read(String(started.body['id']))).toEqual(started.body)
})

test('a run has its names, bindings, status, step and mode, and is read by its id [RUN-29]', async () => {
  const { id } = await runs.begun()
  expect(await bodyOf(service.data('GET', `${RUNS}/${id}`))).toMatchObject({
    id,
    flow_id: flowId,
    flow_version: 1,
    service_id: service.serviceId,
    company_user_id: us,
    bindings: { us, customer: customer.userId, partner: partner.userId },
    status: 'awaiting_us',
    current_node: 'ask',
    output_mode: 'data_only',
  })
})

test('target binds every party that bindings left unbound [RUN-09]', async () => {
  const { flowId: id } = await author.published(untyped)
  const target = { connection_id: customer.connectionId }
  const all = await bodyOf(startOf(id, { target, bindings: { us } }), 201)
  expect(all['bindings']).toEqual({ us, customer: customer.userId, partner: customer.userId })
  const rest = await bodyOf(startOf(id, { target, bindings: { us, partner: partner.userId } }), 201)
  expect(rest['bindings']).toEqual({ us, customer: customer.userId, partner: partner.userId })
})

test('targets give each typed party a customer of its type, and no other [RUN-10]', async () => {
  const swapped = { customer: targets.partner, partner: targets.customer }
  expect(await keyOf(startOf(flowId, { targets: swapped }))).toEqual([400, 'flows.bindings_invalid'])
  const run = await bodyOf(startOf(flowId, { targets }), 201)
  expect(run['bindings']).toMatchObject({ customer: customer.userId, partner: partner.userId })
})

test('the owner is bound by itself and never named in targets [RUN-11]', async () => {
  const named = { ...targets, us: targets.customer }
  expect(await keyOf(startOf(flowId, { targets: named }))).toEqual([400, 'flows.bindings_invalid'])
  expect(await runs.begun({ targets })).toMatchObject({ bindings: { us } })
})

test('bindings bind untyped parties, win over target, and suffice where they name all', async () => {
  const { flowId: id } = await author.published(untyped)
  const bindings = { us, customer: customer.userId, partner: partner.userId }
  expect((await bodyOf(startOf(id, { bindings }), 201))['bindings']).toEqual(bindings)
  const target = { connection_id: partner.connectionId }
  expect((await bodyOf(startOf(id, { bindings, target }), 201))['bindings']).toEqual(bindings)
  const foreign = { ...bindings, us: partner.userId }
  expect(await keyOf(startOf(id, { bindings: foreign }))).toEqual([400, 'flows.bindings_invalid'])
})

test('an unbound party, or a customer of another type, answers flows.bindings_invalid [RUN-13]', async () => {
  const target = targets.customer
  const { flowId: id } = await author.published(untyped)
  for (const [which, body] of [
    [flowId, {}],
    [flowId, { targets: { customer: target } }],
    [flowId, { target }],
    [id, { bindings: { us, customer: customer.userId } }],
  ] as const)
    expect([body, await keyOf(startOf(which, body))]).toEqual([body, [400, 'flows.bindings_invalid']])
})

test('bindings to the company alone answer flows.no_counterparty [RUN-14]', async () => {
  const { flowId: id } = await author.published(untyped)
  const bindings = { us, customer: us, partner: us }
  expect(await keyOf(startOf(id, { bindings }))).toEqual([400, 'flows.no_counterparty'])
})

test('a target that is not connected to the service answers flows.connection_not_found [RUN-15]', async () => {
  const other = await openRuns(world)
  for (const connection_id of [MISSING, 'x', other.customer.connectionId])
    expect(await keyOf(startOf(flowId, { targets: { ...targets, customer: { connection_id } } }))).toEqual([
      404,
      'flows.connection_not_found',
    ])
})

test('a version that is not the latest answers flows.version_changed [RUN-16]', async () => {
  const own = await author.published(intake())
  const changed = await author.save(
    own,
    intake({
      entry: 'tell',
      nodes: intake().nodes.slice(1),
      edges: intake()
        .edges.slice(1)
        .map((edge) => ({ ...edge, condition: null })),
    }),
  )
  expect((await author.publish(changed)).version).toBe(2)
  expect(await keyOf(startOf(own.flowId, { targets, flow_version: 1 }))).toEqual([409, 'flows.version_changed'])
  expect(await bodyOf(startOf(own.flowId, { targets, flow_version: 2 }), 201)).toMatchObject({ flow_version: 2 })
})

test('a run keeps the version that it began with: definition, constants and texts [FLOW-02] [RUN-27]', async () => {
  const own = await author.published(intake())
  const run = await bodyOf(startOf(own.flowId, { targets }), 201)
  const constant = {
    key: 'k',
    label: '',
    result_type: 'number',
    expr: { type: 'lit', value_type: 'number', value: 1 },
    shown_on: ['ask'],
  }
  await author.publish(await author.save(own, intake({ constants: [constant] })))
  const id = String(run['id'])
  expect(await runs.read(id)).toMatchObject({ flow_version: 1, definition: run['definition'] })
  expect((await arrived(customer, id))['definition']).toEqual(run['definition'])
  expect(await bodyOf(startOf(own.flowId, { targets }), 201)).toMatchObject({ flow_version: 2 })
})

test('the day of the start is stamped once, in UTC', async () => {
  const { id } = await runs.begun()
  const today = world.time().slice(0, 10)
  world.clock.advance(26 * 3_600_000)
  expect(world.time().slice(0, 10)).not.toBe(today)
  expect(await runs.read(id)).toMatchObject({ reference_date: today })
  expect(await runs.begun()).toMatchObject({ reference_date: world.time().slice(0, 10) })
})

test('runs are listed by status, with flow and step [RUN-28]', async () => {
  const own = await openRuns(world)
  const first = await own.begun()
  const second = await own.begun()
  await bodyOf(own.answer(second.id, { amount: '1' }, { next_node: 'tell' }))
  const list = async (status: string) =>
    (await bodyOf(own.service.data('GET', `${RUNS}?status=${status}`)))['items'] as readonly object[]
  expect(await list('awaiting_company')).toMatchObject([{ id: first.id, flow_id: own.flowId, status: 'awaiting_us' }])
  expect(await list('awaiting_customer')).toMatchObject([{ id: second.id, current_node: 'tell' }])
  expect(await list('completed')).toEqual([])
})

test('a run that does not exist for the caller answers flows.run_not_found [RUN-30]', async () => {
  const { id } = await runs.begun()
  const other = await openRuns(world)
  expect(await keyOf(service.data('GET', `${RUNS}/${MISSING}`))).toEqual([404, 'flows.run_not_found'])
  expect(await keyOf(other.service.data('GET', `${RUNS}/${id}`))).toEqual([404, 'flows.run_not_found'])
  expect(await keyOf(other.customer.calls('GET', pathOf(other.customer, id)))).toEqual([404, 'flows.run_not_found'])
})

test('connection_id is that of the first customer for the owner, and of the caller for a customer [RUN-32] [RUN-33]', async () => {
  const run = await runs.begun()
  expect(run).toMatchObject({ connection_id: customer.connectionId })
  for (const who of [customer, partner]) expect((await arrived(who, run.id))['connection_id']).toBe(who.connectionId)
  const path = `${pathOf(partner, run.id)}/cancel`
  expect(await bodyOf(partner.calls('POST', path))).toMatchObject({ connection_id: partner.connectionId })
})

test('participants are all bound parties, parties their keys and labels [RUN-34]', async () => {
  const run = await runs.begun()
  expect(run).toMatchObject({
    participants: [
      { party_key: 'us', person_user_id: us, connection_id: null, documents: [] },
      { party_key: 'customer', person_user_id: customer.userId, connection_id: customer.connectionId, documents: [] },
      { party_key: 'partner', person_user_id: partner.userId, connection_id: partner.connectionId, documents: [] },
    ],
    parties: [
      { key: 'us', label: 'Us' },
      { key: 'customer', label: 'Customer' },
      { key: 'partner', label: 'Partner' },
    ],
  })
})

test('an account client with service_management does all of it for its own services [RUN-53] [RUN-54]', async () => {
  const { calls } = await service.company.accountClient(['service_management'])
  expect(await bodyOf(calls('GET', `${managed}/published`))).toEqual(
    await bodyOf(service.data('GET', `${flow}/published`)),
  )
  const run = await bodyOf(calls('POST', `${managed}/runs`, { body: { targets } }), 201)
  const at = `${managed}/runs/${String(run['id'])}`
  expect(await bodyOf(calls('GET', at))).toEqual(run)
  const { items } = await bodyOf(calls('GET', `${managed}/runs?status=awaiting_us&limit=500`))
  expect(JSON.stringify(items)).toContain(String(run['id']))
  const answers = [{ slug: 'amount', values: await runs.copies('3') }]
  const answered = await bodyOf(calls('POST', `${at}/answers`, { body: { answers, next_node: 'tell' } }))
  expect(answered).toMatchObject({ status: 'awaiting_customer' })
  expect(await bodyOf(calls('POST', `${at}/cancel`))).toMatchObject({ status: 'cancelled' })
  const bare = await service.company.accountClient([])
  expect((await bare.calls('GET', at)).status).toBe(403)
  const foreign = await (await openRuns(world)).service.company.accountClient(['service_management'])
  expect((await foreign.calls('GET', at)).status).toBe(404)
})

test('an account client lists the connections of its service, without values [RUN-55]', async () => {
  const { calls } = await service.company.accountClient(['service_management'])
  const { items } = await bodyOf(calls('GET', `/api/services/${service.serviceId}/connections`))
  const [theirs] = (items as readonly Record<string, unknown>[]).filter(({ user_id }) => user_id === customer.userId)
  expect(theirs).toMatchObject({
    id: customer.connectionId,
    connection_id: customer.connectionId,
    customer_type: 'person',
    share_code: runs.person.shareCode,
    display_name: runs.person.displayName,
    public_key: customer.publicKey,
  })
  expect(theirs).not.toHaveProperty('values')
  const foreign = await (await openRuns(world)).service.company.accountClient(['service_management'])
  expect((await foreign.calls('GET', `/api/services/${service.serviceId}/connections`)).status).toBe(404)
})

test('an account client gets the keys of connected users, and of no other [RUN-56]', async () => {
  const { calls } = await service.company.accountClient(['service_management'])
  const stranger = await world.person()
  const body = { user_ids: [customer.userId, partner.userId, stranger.userId] }
  const { keys } = await bodyOf(calls('POST', `/api/services/${service.serviceId}/keys/batch`, { body }))
  expect(keys).toEqual({ [customer.userId]: customer.publicKey, [partner.userId]: partner.publicKey })
})

test('an end of a connection cancels its runs, which stay readable [RUN-57]', async () => {
  const own = await openRuns(world)
  const { id } = await own.begun()
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await own.readAs(own.partner, id)).status === 200)
  await own.partner.calls('DELETE', `/api/company-connections/${own.partner.connectionId}`)
  expect(await own.read(id)).toMatchObject({ status: 'cancelled', cancelled_by: 'partner' })
  for (const who of [own.partner, own.customer])
    await waitUntil('they see it', DEADLINE_MS, async () => {
      return (await own.readAs(who, id)).body['status'] === 'cancelled'
    })
})
