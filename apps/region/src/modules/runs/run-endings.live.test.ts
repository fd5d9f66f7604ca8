import { bodyOf, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import {
  copiesIn,
  copyOf,
  handOver,
  openContracts,
  outputsOf,
  ownerPath,
  type Templates,
  VALUES,
} from './testing/contracts.ts'
import { RUNS } from './testing/runs.ts'
import { signersOf } from './testing/signers.ts'

const world = await openWorld()
/** The customers may cancel the contract, and not the annex. */
const outputs = (templates: Templates) =>
  outputsOf(templates).map((output) => ({ ...output, cancellable: output.output_key === 'contract' }))
const contracts = await openContracts(world, { outputs })
const signers = await signersOf(contracts)
const { service, customer, partner } = contracts

const DAY_MS = 24 * 3_600_000
const DOCUMENTS = '/api/company-data/documents'

const statuses = async (id: string) =>
  Object.fromEntries(
    copiesIn(await contracts.read(id)).map((one) => [`${one.party_key} ${one.output_key}`, one.document_status]),
  )

const kept = { 'customer contract': 'active', 'us annex': 'active', 'partner annex': 'active' }
const gone = { 'partner contract': 'ended', 'customer annex': 'ended', 'us contract': 'ended' }

test('a run awaits its parties, generates, awaits signatures, and is completed or cancelled at the end [RUN-47]', async () => {
  const seen: unknown[] = []
  const see = async (id: string) => {
    const { status } = await contracts.read(id)
    seen.push(status)
    const listed = await bodyOf(service.data('GET', `${RUNS}?status=${String(status)}&limit=500`))
    expect((listed['items'] as readonly Readonly<Record<string, unknown>>[]).map((one) => one['id'])).toContain(id)
  }
  const id = String((await bodyOf(contracts.start(), 201))['id'])
  await see(id)
  await bodyOf(contracts.answer(id, { amount: '21' }, { next_node: 'tell' }))
  await see(id)
  await contracts.arrived(customer, id, 'awaiting_customer')
  await bodyOf(contracts.answerAs(customer, id, { nick: 'Mara' }, { next_node: 'end' }))
  await see(id)
  await contracts.arrived(partner, id, 'awaiting_partner')
  await bodyOf(contracts.answerAs(partner, id, { reference: 'R-7' }, { leaf: true }))
  await see(id)
  await bodyOf(contracts.generate(id, await handOver(VALUES)))
  await see(id)
  for (const who of [customer, partner]) await contracts.arrived(who, id, 'awaiting_signature')
  await signers.steps(id, 5)
  await see(id)
  const second = String((await bodyOf(contracts.start(), 201))['id'])
  await bodyOf(service.data('POST', `${RUNS}/${second}/cancel`))
  await see(second)
  const awaiting = ['awaiting_us', 'awaiting_customer', 'awaiting_partner']
  expect(seen).toEqual([...awaiting, 'generating', 'awaiting_signature', 'completed', 'cancelled'])
})

test('declined at the third step: what was signed stays, every open and waiting copy ends [EVENT-11, RUN-48, SIGN-10]', async () => {
  const id = await contracts.signing()
  await signers.steps(id, 2)
  await service.drain()
  const { path } = await signers.readCopy('partner', id, 'contract')
  await expect.poll(async () => (await partner.calls('GET', path)).body['status']).toBe('offering')
  const declined = await bodyOf(partner.calls('POST', `${path}/decline`, { body: { reason: 'Too dear' } }))
  expect(declined).toMatchObject({ status: 'ended' })
  expect(await contracts.read(id)).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'partner',
    cancel_reason: 'Too dear',
  })
  expect(await statuses(id)).toEqual({ ...kept, ...gone })
  const events = (await service.drain()).map(({ event, status, action }) => [event, status, action])
  expect(events).toEqual([
    ['document_status_changed', 'ended', 'cancelled'],
    ['document_status_changed', 'ended', 'cancelled'],
    ['document_status_changed', 'ended', 'cancelled'],
    ['flow_cancelled', undefined, undefined],
  ])
  const annex = await signers.readCopy('customer', id, 'annex')
  await expect.poll(async () => (await customer.calls('GET', annex.path)).body['status']).toBe('ended')
  // An ended copy takes no acts.
  expect(await signers.actAs('customer', id, 'annex', 'accept')).toMatchObject(refused(409, 'documents.status_invalid'))
})

test('cancelled by the company while copies wait [RUN-48]', async () => {
  const id = await contracts.signing()
  await signers.steps(id, 2)
  const cancelled = await bodyOf(service.data('POST', `${RUNS}/${id}/cancel`, { body: { reason: 'A mistake' } }))
  expect(cancelled).toMatchObject({ status: 'cancelled' })
  expect(await statuses(id)).toEqual({ ...kept, ...gone })
  await contracts.arrived(partner, id, 'cancelled')
  const theirs = await signers.readCopy('partner', id, 'contract')
  await expect.poll(async () => (await partner.calls('GET', theirs.path)).body['status']).toBe('ended')
  expect(await service.data('POST', `${RUNS}/${id}/cancel`)).toMatchObject(refused(409, 'flows.run_closed'))
})

test('declined by the company in the portal, and by a customer whose copy waits [SIGN-10]', async () => {
  const id = await contracts.signing()
  const path = `${ownerPath(service.serviceId, id, 'contract')}/decline`
  expect(await bodyOf(service.portal('POST', path))).toMatchObject({ status: 'ended' })
  expect(await contracts.read(id)).toMatchObject({ status: 'cancelled', cancelled_by: 'us' })
  expect(await service.portal('POST', path)).toMatchObject(refused(409, 'documents.status_invalid'))
  const second = await contracts.signing()
  const waiting = await signers.readCopy('partner', second, 'contract')
  expect(waiting.body).toMatchObject({ status: 'waiting' })
  expect(await bodyOf(partner.calls('POST', `${waiting.path}/decline`))).toMatchObject({ status: 'ended' })
  expect(await contracts.read(second)).toMatchObject({ status: 'cancelled', cancelled_by: 'partner' })
})

test.each([
  ['customer', 'contract'],
  ['customer', 'annex'],
  ['us', 'annex'],
] as const)(
  'declined by %s on the %s, whose copy is open or waits: the run ends with every open copy [SIGN-10]',
  async (party, output) => {
    const id = await contracts.signing()
    if (party === 'us') await bodyOf(service.portal('POST', `${ownerPath(service.serviceId, id, output)}/decline`))
    else {
      const who = party === 'customer' ? customer : partner
      await bodyOf(who.calls('POST', `${(await signers.readCopy(party, id, output)).path}/decline`))
    }
    expect(await contracts.read(id)).toMatchObject({ status: 'cancelled', cancelled_by: party })
    expect(new Set(Object.values(await statuses(id)))).toEqual(new Set(['ended', 'active']))
    for (const who of [customer, partner]) await contracts.arrived(who, id, 'cancelled')
  },
)

test('ended by the company: the end of a signed copy cancels an open run', async () => {
  const id = await contracts.signing()
  await signers.steps(id, 1)
  const copy = copyOf(await contracts.read(id), 'customer', 'contract')
  const path = `${DOCUMENTS}/${copy.document_id}`
  expect(await bodyOf(service.data('PUT', path, { body: { status: 'ended' } }))).toMatchObject({ status: 'ended' })
  expect(await contracts.read(id)).toMatchObject({ status: 'cancelled', cancelled_by: 'us' })
  expect(await statuses(id)).toMatchObject({ 'us annex': 'ended', 'customer contract': 'ended' })
})

test('a copy that ends on a later day cancels an open run at once', async () => {
  const id = await contracts.signing()
  await signers.steps(id, 2)
  const path = `${DOCUMENTS}/${copyOf(await contracts.read(id), 'customer', 'contract').document_id}`
  const ending = { status: 'active_but_ending', cancel_effective_date: world.time(40 * DAY_MS).slice(0, 10) }
  expect(await bodyOf(service.data('PUT', path, { body: ending }))).toMatchObject(ending)
  expect(await contracts.read(id)).toMatchObject({ status: 'cancelled', cancelled_by: 'us' })
  expect(await statuses(id)).toEqual({ ...kept, ...gone, 'customer contract': 'active_but_ending' })
})

test('a customer cancels what the flow lets them cancel, and the open run ends at once [SIGN-10]', async () => {
  const id = await contracts.signing()
  await signers.steps(id, 1)
  const mayCancel = async (output: string) => {
    const { body } = await signers.readCopy('customer', id, output)
    return (body['metadata'] as Readonly<Record<string, unknown>>)['can_be_cancelled_in_app']
  }
  expect([await mayCancel('contract'), await mayCancel('annex')]).toEqual([true, false])
  const { path } = await signers.readCopy('customer', id, 'contract')
  const body = { metadata: { cancel_notice_days: 30 } }
  await bodyOf(service.data('PUT', path.replace(/^.*documents/, DOCUMENTS), { body }))
  expect(await bodyOf(customer.calls('POST', `${path}/cancel`))).toMatchObject({ status: 'active_but_ending' })
  expect(await contracts.read(id)).toMatchObject({ status: 'cancelled', cancelled_by: 'customer' })
})

/** All pages: the runs of earlier tests have left events too. */
async function drainPartner(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { changes, has_more } = await bodyOf(partner.calls('GET', '/api/customer/changes'))
  const page = changes as readonly Readonly<Record<string, unknown>>[]
  return has_more === true ? [...page, ...(await drainPartner())] : page
}

describe('every cancel is an event of both feeds, and none is a completion', () => {
  const decline = async (id: string) => {
    const { path } = await signers.readCopy('customer', id, 'annex')
    return customer.calls('POST', `${path}/decline`)
  }
  const end = async (id: string) => {
    const path = `${DOCUMENTS}/${copyOf(await contracts.read(id), 'customer', 'contract').document_id}`
    return service.data('PUT', path, { body: { status: 'ended' } })
  }
  const own = (id: string) => `/api/company-connections/${customer.connectionId}/flow-runs/${id}`
  test.each([
    ['a customer declines a document', 'customer', decline],
    ['a customer declines the run', 'customer', (id: string) => customer.calls('POST', `${own(id)}/decline`)],
    ['a customer cancels the run', 'customer', (id: string) => customer.calls('POST', `${own(id)}/cancel`)],
    ['the company cancels the run', 'us', (id: string) => service.data('POST', `${RUNS}/${id}/cancel`)],
    [
      'the company declines a document',
      'us',
      (id: string) => service.portal('POST', `${ownerPath(service.serviceId, id, 'contract')}/decline`),
    ],
    ['the company ends a signed copy', 'us', end],
  ] as const)('%s [EVENT-32]', async (_, by, cancel) => {
    const id = await contracts.signing()
    await signers.steps(id, 1)
    await contracts.arrived(partner, id, 'awaiting_signature')
    await service.drain()
    expect((await cancel(id)).status).toBe(200)
    await contracts.arrived(partner, id, 'cancelled')
    const ends = (events: readonly Readonly<Record<string, unknown>>[]) =>
      events
        .filter((event) => event['flow_run_id'] === id && event['event'] !== 'flow_run_turn')
        .map(({ event, cancelled_by }) => [event, cancelled_by])
    expect(ends(await service.drain())).toEqual([['flow_cancelled', by]])
    expect(ends(await drainPartner())).toEqual([['flow_cancelled', by]])
  })
})

test('a run never comes to a customer before its copies: not when it is generated, and not when it is cancelled', async () => {
  const seen: unknown[] = []
  const drain = async () => {
    for (const { event } of await drainPartner()) seen.push(event)
    return seen
  }
  const id = await contracts.generating()
  await drain()
  seen.length = 0
  await bodyOf(contracts.generate(id, await handOver(VALUES)))
  const twoCopies = ['document_created', 'document_created']
  await expect.poll(drain).toEqual([...twoCopies, 'flow_run_turn'])
  seen.length = 0
  const path = `/api/company-connections/${partner.connectionId}/flow-runs/${id}`
  const cancelled = await bodyOf(partner.calls('POST', `${path}/cancel`))
  expect(cancelled).toMatchObject({ status: 'cancelled', cancelled_by: 'partner' })
  // The annex is not the partner's to sign, and stays.
  await expect.poll(drain).toEqual(['document_status_changed', 'flow_cancelled'])
})

test('the end of a connection cancels the run; only a sealed contract holds a connection', async () => {
  const other = await openContracts(world)
  const others = await signersOf(other)
  const id = await other.signing()
  await others.steps(id, 3)
  const leave = () => other.partner.calls('DELETE', `/api/company-connections/${other.partner.connectionId}`)
  expect((await leave()).status).toBeLessThan(300)
  await expect.poll(async () => (await other.read(id))['status']).toBe('cancelled')
  const third = await openContracts(world)
  const thirds = await signersOf(third)
  const done = await third.signing()
  await thirds.steps(done, 5)
  await third.arrived(third.partner, done, 'completed')
  const held = await third.partner.calls('DELETE', `/api/company-connections/${third.partner.connectionId}`)
  expect(held).toMatchObject(refused(409, 'company_connections.active_contract'))
})
