import { bodyOf, invalidAt, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { CONTRACT, copyPath, DOCUMENTS, sendTo } from '../testing/documents.ts'

const DAY_MS = 24 * 3_600_000
const MISSING = '019a0000-0000-7000-8000-00000000dead'
const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const { person, connectionId } = await world.customer(service, [])
const stranger = await world.service([])

const eventsOf = async (id: string) => (await service.drain()).filter((event) => event['document_id'] === id)

describe('lists', () => {
  test('filters, totals and cursors', async () => {
    const other = await world.service([], { company })
    const one = await world.customer(other, [])
    const two = await world.customer(other, [])
    for (const { person: reader, connectionId: id } of [one, two, one]) await sendTo(other, reader, id)
    await sendTo(other, one.person, one.connectionId, { requires_signature: false, kind: 'document' })
    const list = async (query: string) => bodyOf(other.data('GET', `${DOCUMENTS}?${query}`))
    expect(await list('')).toMatchObject({ total: 4, next_cursor: null })
    expect(await list('status=active')).toMatchObject({ total: 1, items: [{ kind: 'document' }] })
    expect(await list(`person_user_id=${one.person.userId}`)).toMatchObject({ total: 3 })
    expect(await list(`connection_id=${two.connectionId}`)).toMatchObject({ total: 1 })
    expect(await list('kind=subscription')).toMatchObject({ total: 0, items: [] })
    expect(await list(`person_user_id=${MISSING}`)).toMatchObject({ total: 0, items: [] })
    const first = await list('limit=3')
    const cursor = String(first['next_cursor'])
    expect(await list(`cursor=${cursor}`)).toMatchObject({ total: 4, items: [{ kind: 'document' }], next_cursor: null })
    expect(await other.data('GET', `${DOCUMENTS}?cursor=${cursor}&status=active`)).toMatchObject(
      invalidAt('/query/cursor'),
    )
    expect(await other.data('GET', `${DOCUMENTS}?status=unknown`)).toMatchObject({ status: 400 })
    expect(await bodyOf(stranger.data('GET', DOCUMENTS))).toMatchObject({ total: 0, items: [] })
  })
})

describe('changes by the company', () => {
  const path = (id: string) => `${DOCUMENTS}/${id}`

  test('metadata merges by key, and the change raises document_updated [DOC-20] [EVENT-19]', async () => {
    const { id } = await sendTo(service, person, connectionId, { metadata: { price: '10', plan_name: 'S' } })
    await service.drain()
    const body = { metadata: { price: '12', plan_name: null }, name: 'Renamed', description: 'New' }
    const changed = await bodyOf(service.data('PUT', path(id), { body }))
    expect(changed).toMatchObject({
      name: 'Renamed',
      description: 'New',
      metadata: { can_be_cancelled_in_app: false, price: '12' },
    })
    expect(changed['metadata']).not.toHaveProperty('plan_name')
    expect(await eventsOf(id)).toMatchObject([
      {
        event: 'document_updated',
        document_id: id,
        name: 'Renamed',
        kind: 'agreement',
        payload_kind: 'json',
        person_user_id: person.userId,
        at: world.time(),
      },
    ])
    await bodyOf(service.data('PUT', path(id), { body }))
    await bodyOf(service.data('PUT', path(id), { body: { status: 'ready_to_sign' } }))
    expect(await eventsOf(id)).toEqual([])
  })

  test('a status edit raises document_updated and never document_status_changed [DOC-20] [EVENT-31]', async () => {
    const { id } = await sendTo(service, person, connectionId, { requires_signature: false })
    await service.drain()
    const future = world.time(2 * DAY_MS).slice(0, 10)
    const ending = { status: 'active_but_ending', cancel_effective_date: future }
    expect(await bodyOf(service.data('PUT', path(id), { body: ending }))).toMatchObject(ending)
    expect(await bodyOf(service.data('PUT', path(id), { body: { status: 'active' } }))).toMatchObject({
      status: 'active',
      cancel_effective_date: null,
    })
    expect(await bodyOf(service.data('PUT', path(id), { body: { status: 'ended' } }))).toMatchObject({
      status: 'ended',
    })
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual([
      'document_updated',
      'document_updated',
      'document_updated',
    ])
  })

  test('only the customer makes an offer active, and an ending needs a future date', async () => {
    const { id } = await sendTo(service, person, connectionId)
    for (const status of ['active', 'offering', 'active_but_ending', 'waiting']) {
      expect(await service.data('PUT', path(id), { body: { status } })).toMatchObject(
        refused(409, 'documents.status_invalid'),
      )
    }
    const active = await sendTo(service, person, connectionId, { requires_signature: false })
    for (const cancel_effective_date of [undefined, world.time().slice(0, 10)]) {
      const body = { status: 'active_but_ending', cancel_effective_date }
      expect(await service.data('PUT', path(active.id), { body })).toMatchObject(
        invalidAt('/body/cancel_effective_date'),
      )
    }
    await bodyOf(service.data('PUT', path(active.id), { body: { status: 'ended' } }))
    expect(await service.data('PUT', path(active.id), { body: { status: 'active' } })).toMatchObject(
      refused(409, 'documents.status_invalid'),
    )
  })

  test('a contract without an act is deleted on both sides, and raises document_deleted [EVENT-20]', async () => {
    const { id } = await sendTo(service, person, connectionId)
    await expect.poll(async () => (await person.calls('GET', copyPath(connectionId, id))).status).toBe(200)
    await service.drain()
    await bodyOf(service.data('DELETE', path(id)), 204)
    expect(await eventsOf(id)).toMatchObject([
      {
        event: 'document_deleted',
        document_id: id,
        name: CONTRACT.name,
        kind: 'agreement',
        payload_kind: 'json',
        person_user_id: person.userId,
      },
    ])
    await expect
      .poll(() => person.calls('GET', copyPath(connectionId, id)))
      .toMatchObject(refused(404, 'documents.not_found'))
    expect(await service.data('DELETE', path(id))).toMatchObject(refused(404, 'documents.not_found'))
  })

  test("another service's document answers like a missing one", async () => {
    const { id } = await sendTo(service, person, connectionId)
    for (const [method, suffix] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/file'],
      ['POST', '/file'],
    ] as const) {
      const sent = method === 'GET' || method === 'DELETE' ? {} : { body: { status: 'no such status' } }
      const [foreign, missing] = await Promise.all(
        [id, MISSING].map((one) => stranger.data(method, `${path(one)}${suffix}`, sent)),
      )
      expect(foreign).toMatchObject(refused(404, 'documents.not_found'))
      expect(foreign?.text).toBe(missing?.text)
      expect(await world.anonymous(method, `${path(id)}${suffix}`)).toMatchObject(refused(401, 'auth.token_missing'))
    }
  })
})

test('creating needs the basic level and a login', async () => {
  expect(await world.anonymous('POST', DOCUMENTS)).toMatchObject(refused(401, 'auth.token_missing'))
  await company.setLevel('free')
  const body = { name: 'For all', payload_kind: 'json', value: {} }
  expect(await service.data('POST', DOCUMENTS, { body })).toMatchObject(refused(403, 'account.level_required'))
  await company.setLevel('pro')
})
