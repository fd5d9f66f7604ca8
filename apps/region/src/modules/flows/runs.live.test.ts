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

test('a run pins the version and binds its parties', async () => {
  const run = await runs.begun({ targets, flow_version: 1 })
  expect(run).toMatchObject({
    flow_id: flowId,
    flow_version: 1,
    status: 'awaiting_us',
    connection_id: customer.connectionId,
    company_user_id: service.company.companyId,
    bindings: { us: service.company.companyId, customer: customer.userId, partner: partner.userId },
    participants: [
      { party_key: 'us', connection_id: null, documents: [] },
      { party_key: 'customer', connection_id: customer.connectionId },
      { party_key: 'partner', connection_id: partner.connectionId },
    ],
    parties: [{ key: 'us', label: 'Us' }, { key: 'customer' }, { key: 'partner' }],
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
})

test('a start that cannot bind every party is refused', async () => {
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
})

test('a manager starts, reads, answers and cancels runs of an own service', async () => {
  const path = `/api/services/${service.serviceId}/flows/${flowId}/runs`
  const run = await bodyOf(service.portal('POST', path, { body: { targets } }), 201)
  const at = `${path}/${String(run['id'])}`
  const answers = [{ slug: 'amount', values: await runs.copies('3') }]
  const answered = await bodyOf(service.portal('POST', `${at}/answers`, { body: { answers, next_node: 'tell' } }))
  expect(await bodyOf(service.portal('GET', at))).toEqual(answered)
  expect(await bodyOf(service.portal('POST', `${at}/cancel`))).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'us',
    cancel_reason: null,
  })
})

test('a customer cancels, and the feed of the service says so', async () => {
  const own = await openRuns(world)
  const { id } = await own.begun()
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await own.readAs(own.partner, id)).status === 200)
  await own.service.drain()
  const cancelled = await bodyOf(
    own.partner.calls('POST', `${pathOf(own.partner, id)}/decline`, { body: { reason: 'no' } }),
  )
  expect(cancelled).toMatchObject({ status: 'cancelled', cancelled_by: 'partner', cancel_reason: 'no' })
  expect(await own.service.events(1)).toMatchObject([
    { event: 'flow_cancelled', flow_run_id: id, cancelled_by: 'partner' },
  ])
  await waitUntil('the person sees it', DEADLINE_MS, async () => {
    return (await own.readAs(own.customer, id)).body['status'] === 'cancelled'
  })
  expect((await own.readAs(own.customer, id)).body).toMatchObject({ cancelled_by: 'partner' })
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
