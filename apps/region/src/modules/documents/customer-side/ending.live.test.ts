import { actFor, addDelegate, addDevice, bodyOf, callsWith, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { endDueDocuments } from '../service-side/operations/tidy.ts'
import { type Body, copyPath, DOCUMENTS, sendTo } from '../testing/documents.ts'
import { offerTo } from '../testing/signers.ts'

const DAY_MS = 24 * 3_600_000

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
/** The service whose connections contracts keep. */
const held = await world.service([{ slug: 'name' }], { company })
const signer = await world.person({ displayName: 'Anna de Vries' })
const connectionId = await signer.connected(service)
const phone = await addDevice(signer)
const offered = (members: Body = {}) => offerTo(service, signer, connectionId, { device: phone, members })

const eventsOf = async (id: string) => (await service.drain()).filter((event) => event['document_id'] === id)
const statusEvents = async (id: string) =>
  (await eventsOf(id)).filter(({ event }) => event === 'document_status_changed')
const read = (id: string) => bodyOf(service.data('GET', `${DOCUMENTS}/${id}`))

describe('accepting, declining, cancelling', () => {
  test('an acceptance makes the offer active [DOC-16] [EVENT-10] [EVENT-12] [EVENT-13]', async () => {
    const { id, path, content_sha256 } = await offered({ requires_signature: false, requires_acceptance: true })
    await service.drain()
    expect(await bodyOf(signer.calls('POST', `${path}/accept`, { body: { content_sha256 } }))).toMatchObject({
      status: 'active',
      signatures: [{ action: 'accepted', method: null }],
    })
    expect(await statusEvents(id)).toMatchObject([
      {
        status: 'active',
        action: 'accepted',
        method: null,
        content_sha256: null,
        signed_at: null,
        signer_last_name: 'Vries',
      },
    ])
  })

  test('a decline ends the offer', async () => {
    const { id, path } = await offered()
    await service.drain()
    expect(await bodyOf(signer.calls('POST', `${path}/decline`, { body: { reason: 'Too dear' } }))).toMatchObject({
      status: 'ended',
    })
    expect(await statusEvents(id)).toMatchObject([{ status: 'ended', action: 'cancelled', note: 'Too dear' }])
    expect(await signer.calls('POST', `${path}/decline`)).toMatchObject(refused(409, 'documents.status_invalid'))
  })

  const subscription = { kind: 'subscription', requires_signature: false }

  test('a cancellation without notice ends the contract today [DOC-18] [EVENT-10] [EVENT-12] [EVENT-14] [EVENT-17]', async () => {
    const { id, path } = await offered(subscription)
    await service.drain()
    const today = world.time().slice(0, 10)
    expect(await bodyOf(signer.calls('POST', `${path}/cancel`, { body: { note: 'Moved' } }))).toMatchObject({
      status: 'ended',
      cancel_effective_date: today,
    })
    expect(await statusEvents(id)).toMatchObject([
      {
        status: 'ended',
        action: 'cancelled',
        method: null,
        content_sha256: null,
        signed_at: null,
        cancel_effective_date: today,
        sealed_at: null,
        plain_sha256: null,
        signer_first_name: null,
        signer_last_name: null,
        signer_name_verified: null,
        note: 'Moved',
      },
    ])
  })

  test('with notice it is ending, and ends on its day [DOC-17]', async () => {
    const { id, path } = await offered({ ...subscription, metadata: { cancel_notice_days: 30 } })
    await service.drain()
    const date = world.time(30 * DAY_MS).slice(0, 10)
    expect(await bodyOf(signer.calls('POST', `${path}/cancel`))).toMatchObject({
      status: 'active_but_ending',
      cancel_effective_date: date,
    })
    const event = { action: 'cancelled', cancel_effective_date: date }
    expect(await statusEvents(id)).toMatchObject([{ status: 'active_but_ending', ...event }])
    expect(await signer.calls('POST', `${path}/cancel`)).toMatchObject(refused(409, 'documents.status_invalid'))
    const context = world.eu.modules.documents.service
    await endDueDocuments(context)
    expect(await read(id)).toMatchObject({ status: 'active_but_ending' })
    const later = { now: () => (world.clock.now() + 30 * DAY_MS) as ReturnType<typeof world.clock.now> }
    await endDueDocuments({ ...context, clock: later })
    expect(await read(id)).toMatchObject({ status: 'ended', cancel_effective_date: date })
    expect(await statusEvents(id)).toMatchObject([{ status: 'ended', ...event }])
    await expect.poll(async () => (await signer.calls('GET', path)).body['status']).toBe('ended')
  })

  test.each([
    { kind: 'agreement', requires_signature: false },
    { ...subscription, metadata: { can_be_cancelled_in_app: false } },
    { kind: 'document', requires_signature: false },
  ])('one that cannot be cancelled stays: %j [DOC-19]', async (members) => {
    const { id, path } = await offered(members)
    expect(await signer.calls('POST', `${path}/cancel`)).toMatchObject(refused(409, 'documents.not_cancellable'))
    expect(await read(id)).toMatchObject({ status: 'active' })
  })

  test('between two drains only the latest status of a document is delivered [FEED-10]', async () => {
    const { id, path, content_sha256 } = await offered({
      kind: 'subscription',
      requires_signature: false,
      requires_acceptance: true,
    })
    await service.drain()
    await bodyOf(signer.calls('POST', `${path}/accept`, { body: { content_sha256 } }))
    await bodyOf(signer.calls('POST', `${path}/cancel`))
    expect(await statusEvents(id)).toMatchObject([{ status: 'ended', action: 'cancelled' }])
  })
})

describe('contracts and connections', () => {
  const listed = async (link: string) => (await bodyOf(held.data('GET', `${DOCUMENTS}?connection_id=${link}`)))['items']

  /** A customer of `held` that has shared a value and accepted a contract of each kind. */
  async function holding(...kinds: readonly string[]) {
    const { person, connectionId: link } = await world.customer(held, [{ slug: 'name', text: 'Mara' }])
    const contracts: { id: string; path: string }[] = []
    for (const kind of kinds) {
      const terms = { kind, requires_signature: false, requires_acceptance: true }
      const { id, content_sha256 } = await sendTo(held, person, link, terms)
      const path = copyPath(link, id)
      await expect.poll(async () => (await person.calls('GET', path)).status).toBe(200)
      await bodyOf(person.calls('POST', `${path}/accept`, { body: { content_sha256 } }))
      contracts.push({ id, path })
    }
    await held.drain()
    const own = `/api/company-connections/${link}`
    return { person, link, own, contracts }
  }

  const change = (id: string, body: Body) => bodyOf(held.data('PUT', `${DOCUMENTS}/${id}`, { body }))
  const end = (link: string) => held.data('DELETE', `/api/company-data/connections/${link}`)

  /** Neither side can end the connection, and neither side notices that the other one has tried to. */
  async function expectHeld({ person, link, own, contracts }: Awaited<ReturnType<typeof holding>>, name: string) {
    const refusal = refused(409, 'company_connections.active_contract')
    const [{ id, path } = { id: '', path: '' }] = contracts.toReversed()
    const state = async () => [await held.read(link), await listed(link), await bodyOf(person.calls('GET', own))]
    const before = await state()
    expect(await end(link)).toMatchObject(refusal)
    expect(await person.calls('DELETE', own)).toMatchObject(refusal)
    expect(await held.portal('DELETE', held.path)).toMatchObject(refusal)
    expect(await state()).toEqual(before)
    expect(await held.drain()).toEqual([])
    // A tell of the end would arrive before this one.
    await change(id, { name })
    await expect.poll(async () => (await person.calls('GET', path)).body['name']).toBe(name)
    expect(await bodyOf(person.calls('GET', own))).toMatchObject({ company_connection_id: link })
    await held.drain()
  }

  test.each(['agreement', 'subscription'])(
    'an active %s keeps both sides from ending the connection, which changes nothing [CONN-14]',
    async (kind) => {
      const holder = await holding(kind)
      const { person, link, own, contracts } = holder
      const [{ id, path } = { id: '', path: '' }] = contracts
      await expectHeld(holder, 'Renewed')
      const remove = () => held.data('DELETE', `${DOCUMENTS}/${id}`)
      expect(await remove()).toMatchObject(refused(409, 'documents.contract_immutable'))
      await change(id, { status: 'ended' })
      expect(await end(link)).toMatchObject({ status: 204 })
      // The accepted contract stays with both parties; the company may delete its own copy.
      await expect.poll(async () => (await person.calls('GET', own)).status).toBe(404)
      expect(await person.calls('GET', path)).toMatchObject({ status: 200, body: { status: 'ended' } })
      expect((await bodyOf(person.calls('GET', '/api/customer/documents')))['items']).toMatchObject([{ id }])
      await bodyOf(remove(), 204)
      expect(await person.calls('GET', path)).toMatchObject({ status: 200 })
    },
  )

  test('the last contract in force keeps the connection, also while it is ending; a plain document does not [CONN-14]', async () => {
    const holder = await holding('subscription', 'agreement')
    const [first, last] = holder.contracts.map(({ id }) => id)
    await sendTo(held, holder.person, holder.link, { kind: 'document', requires_signature: false })
    await change(String(first), { status: 'ended' })
    await held.drain()
    await expectHeld(holder, 'Last')
    const cancel_effective_date = world.time(30 * DAY_MS).slice(0, 10)
    await change(String(last), { status: 'active_but_ending', cancel_effective_date })
    await held.drain()
    await expectHeld(holder, 'Ending')
    await change(String(last), { status: 'ended' })
    await bodyOf(holder.person.calls('DELETE', holder.own), 204)
  })

  test('open offers end with the connection', async () => {
    const { person, connectionId: link } = await world.customer(service, [])
    const { id } = await sendTo(service, person, link)
    await service.drain()
    await bodyOf(person.calls('DELETE', `/api/company-connections/${link}`), 204)
    expect(await read(id)).toMatchObject({ status: 'ended' })
    expect(await eventsOf(id)).toMatchObject([
      { event: 'document_status_changed', status: 'ended', action: 'cancelled' },
    ])
    expect(await person.calls('GET', copyPath(link, id))).toMatchObject({ status: 404 })
  })
})

describe('the feed of a company that is a customer', () => {
  test('each change of a copy is an event; statuses collapse per document', async () => {
    const customer = await world.company({ region: 'us' })
    const link = await customer.connected(service)
    const client = await customer.accountClient(['customer_connections'])
    const drain = async () => {
      const { changes } = await bodyOf(client.calls('GET', '/api/customer/changes'))
      return changes as readonly Record<string, unknown>[]
    }
    const { id, content_sha256 } = await sendTo(service, customer, link, {
      requires_signature: false,
      requires_acceptance: true,
    })
    const path = copyPath(link, id)
    await expect.poll(async () => (await customer.calls('GET', path)).status).toBe(200)
    expect(await drain()).toMatchObject([
      { event: 'connection_created' },
      { event: 'document_created', document_id: id, connection_id: link, company_share_code: company.shareCode },
    ])
    await bodyOf(service.data('PUT', `${DOCUMENTS}/${id}`, { body: { name: 'Renamed' } }))
    await expect.poll(async () => (await customer.calls('GET', path)).body['name']).toBe('Renamed')
    await bodyOf(customer.calls('POST', `${path}/accept`, { body: { content_sha256 } }))
    await bodyOf(service.data('PUT', `${DOCUMENTS}/${id}`, { body: { status: 'ended' } }))
    await expect.poll(async () => (await customer.calls('GET', path)).body['status']).toBe('ended')
    expect(await drain()).toMatchObject([
      { event: 'document_updated', document_id: id },
      { event: 'document_status_changed', document_id: id },
    ])
  })

  test('an admin of a company may sign for it', async () => {
    const customer = await world.company({ region: 'us' })
    const admin = await world.person()
    await addDelegate(customer, admin)
    const link = await customer.connected(service)
    const { id, content_sha256 } = await sendTo(service, customer, link)
    const path = copyPath(link, id)
    await expect.poll(async () => (await customer.calls('GET', path)).status).toBe(200)
    const { cookies } = await admin.logIn()
    const acting = await actFor(world, customer, cookies)
    const calls = callsWith(customer.apiUrl, acting.token)
    expect(
      await bodyOf(calls('POST', `${path}/sign`, { body: { method: 'custodian', content_sha256 } })),
    ).toMatchObject({
      status: 'active',
    })
  })
})
