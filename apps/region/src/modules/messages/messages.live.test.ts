import { bodyOf, openWorld, refused, sealTo } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { itemsOf, ownPath, sentPath, write, writeBack } from './testing/messages.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'
const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const strange = await world.service([])
const { person, connectionId } = await world.customer(service, [])
const otherPerson = await world.person()
const [sent, own] = [sentPath(connectionId), ownPath(connectionId)]

const arrivedAt = async (calls: typeof person.calls, path: string, id: string) =>
  expect.poll(async () => (await itemsOf(calls, path)).map((item) => item['message_id'])).toContain(id)

describe('from the service to the customer', () => {
  test('each side gets its own sealed copy, in its own region [MSG-04]', async () => {
    const body = await sealTo(person.user.keys.publicKey, 'Your order is ready')
    const copy = await service.seal('Your order is ready')
    const answer = await bodyOf(service.data('POST', sent, { body: { body, sender_body: copy } }), 201)
    expect(answer).toEqual({ message_id: answer['id'], id: expect.any(String), created_at: world.time() })
    const item = { ...answer, from: 'company', read_at: null }
    expect((await itemsOf(service.data, sent))[0]).toEqual({ ...item, body: copy })
    await arrivedAt(person.calls, own, String(answer['id']))
    expect((await itemsOf(person.calls, own))[0]).toEqual({ ...item, body })
    const rows = 'select body from messages_service.message where connection_id = $1'
    expect(await world.rows(rows, [connectionId], 'eu')).not.toContainEqual({ body })
  })

  test('a message without a copy has no body on the own side', async () => {
    const body = await sealTo(person.user.keys.publicKey, 'Without a copy')
    const { id } = await bodyOf(service.data('POST', sent, { body: { body, sender_body: null } }), 201)
    expect((await itemsOf(service.data, sent))[0]).toMatchObject({ id, body: null })
  })

  test('the same call twice sends one message, two calls send two', async () => {
    const call = { body: { body: await sealTo(person.user.keys.publicKey, 'Once') }, key: 'messages-once' }
    const before = Number((await bodyOf(service.data('GET', sent)))['total'])
    const first = await bodyOf(service.data('POST', sent, call), 201)
    expect(await bodyOf(service.data('POST', sent, call), 201)).toEqual(first)
    expect(await bodyOf(service.data('GET', sent))).toMatchObject({ total: before + 1 })
    await bodyOf(service.data('POST', sent, { body: call.body }), 201)
    expect(await bodyOf(service.data('GET', sent))).toMatchObject({ total: before + 2 })
  })

  test('plaintext, an object and a long text are refused on both sides', async () => {
    const sealed = await service.seal('x')
    const long = await service.seal('x'.repeat(60_000))
    const cases = [
      [{}, 'contact_data.encryption_required'],
      [{ body: 'Hello' }, 'contact_data.encryption_required'],
      [{ body: JSON.parse(sealed) as unknown }, 'contact_data.encryption_required'],
      [{ body: sealed, sender_body: 'Hello' }, 'contact_data.encryption_required'],
      [{ body: long }, 'request.invalid'],
      [{ body: sealed, sender_body: long }, 'request.invalid'],
    ] as const
    for (const [body, key] of cases) {
      expect(await service.data('POST', sent, { body })).toMatchObject(refused(400, key))
      expect(await person.calls('POST', own, { body })).toMatchObject(refused(400, key))
    }
  })

  test('a company below basic may read, not write', async () => {
    const free = await world.company()
    const its = await world.service([], { company: free })
    const customer = await world.customer(its, [])
    await free.setLevel('free')
    const path = sentPath(customer.connectionId)
    const body = { body: await its.seal('x') }
    expect(await its.data('POST', path, { body })).toMatchObject(refused(403, 'messages.messaging_not_entitled'))
    expect(await its.data('POST', '/api/company-data/broadcast', { body })).toMatchObject(
      refused(403, 'messages.messaging_not_entitled'),
    )
    expect(await its.data('GET', path)).toMatchObject({ status: 200 })
  })
})

describe('from the customer to the service', () => {
  test('the service gets message_received, and none for its own messages [EVENT-29] [EVENT-30]', async () => {
    await service.drain()
    await write(service, person, connectionId, 'How are you?')
    await bodyOf(service.data('POST', '/api/company-data/broadcast', { body: { body: 'We move' } }), 202)
    const body = await service.seal('Is it still free?')
    const answer = await bodyOf(person.calls('POST', own, { body: { body } }), 201)
    expect(await service.events(1)).toEqual([
      {
        id: expect.any(String),
        event: 'message_received',
        person_user_id: person.userId,
        share_code: person.user.shareCode,
        at: world.time(),
        connection_id: connectionId,
        service_id: service.serviceId,
        message_id: answer['message_id'],
        person_public_key: person.user.keys.publicKey,
        created_at: answer['created_at'],
        body,
      },
    ])
    expect(await service.drain()).toEqual([])
  })

  test('acknowledging reaches up to the boundary, and the customer sees the receipt [MSG-01] [MSG-03] [MSG-06] [MSG-07]', async () => {
    const its = await world.service([], { company })
    const { person: customer, connectionId: id } = await world.customer(its, [])
    const first = await writeBack(customer, its, id, 'one')
    const second = await writeBack(customer, its, id, 'two')
    const third = await writeBack(customer, its, id, 'three')
    await arrivedAt(its.data, sentPath(id), third)
    await write(its, customer, id, 'A reply acknowledges nothing')
    expect(await bodyOf(its.data('GET', sentPath(id)))).toMatchObject({ total: 4, unread_count: 3 })
    expect((await itemsOf(customer.calls, ownPath(id))).map((item) => item['read_at'])).not.toContain(world.time())
    const read = () => bodyOf(its.data('POST', `${sentPath(id)}/read`, { body: { message_id: second } }))
    const readAt = world.time()
    expect(await read()).toEqual({ acknowledged_up_to: second, unread_count: 1 })
    world.clock.advance(1000)
    expect(await read()).toEqual({ acknowledged_up_to: second, unread_count: 1 })
    const receipts = async (calls: typeof customer.calls, path: string) =>
      Object.fromEntries((await itemsOf(calls, path)).map((item) => [item['id'], item['read_at']]))
    const expected = { [first]: readAt, [second]: readAt, [third]: null }
    expect(await receipts(its.data, sentPath(id))).toMatchObject(expected)
    await expect.poll(() => receipts(customer.calls, ownPath(id))).toMatchObject(expected)
  })

  test('the customer acknowledges in the same way, by either name of the boundary', async () => {
    const id = await write(service, person, connectionId, 'Read me')
    await arrivedAt(person.calls, own, id)
    expect(await bodyOf(person.calls('POST', `${own}/read`, { body: { up_to_message_id: id } }))).toEqual({
      acknowledged_up_to: id,
      unread_count: 0,
    })
    const readAt = async () => (await itemsOf(service.data, sent)).find((item) => item['id'] === id)?.['read_at']
    await expect.poll(readAt).not.toBeNull()
  })

  test('a boundary is a message of the other side on this connection [MSG-02]', async () => {
    const its = await world.customer(service, [])
    const elsewhere = await writeBack(its.person, service, its.connectionId, 'elsewhere')
    await arrivedAt(service.data, sentPath(its.connectionId), elsewhere)
    const mine = await write(service, person, connectionId, 'mine')
    for (const message_id of [MISSING, elsewhere, mine]) {
      expect(await service.data('POST', `${sent}/read`, { body: { message_id } })).toMatchObject(
        refused(400, 'company_data.ack_boundary_invalid'),
      )
    }
    const theirs = await writeBack(person, service, connectionId, 'theirs')
    for (const message_id of [MISSING, elsewhere, theirs]) {
      expect(await person.calls('POST', `${own}/read`, { body: { message_id } })).toMatchObject(
        refused(400, 'company_data.ack_boundary_invalid'),
      )
    }
    expect(await service.data('POST', `${sent}/read`, { body: {} })).toMatchObject(
      refused(400, 'company_data.ack_boundary_invalid'),
    )
  })

  test('a company as a customer gets message_received in its own feed', async () => {
    const customer = await world.company({ region: 'us' })
    const id = await customer.connected(service)
    const client = await customer.accountClient(['customer_connections'])
    const drain = async () => (await bodyOf(client.calls('GET', '/api/customer/changes')))['changes']
    await expect.poll(drain).toMatchObject([{ event: 'connection_created' }])
    const message = await write(service, customer, id, 'To a company')
    await expect.poll(drain).toMatchObject([{ event: 'message_received', message_id: message, connection_id: id }])
  })
})

test('a broadcast counts as unread until it is acknowledged, of which the company is not told', async () => {
  const its = await world.service([], { company })
  const { person: reader, connectionId: id } = await world.customer(its, [])
  const other = await world.customer(its, [])
  const path = ownPath(id)
  const send = async (text: string) => {
    world.clock.advance(1000)
    return write(its, reader, id, text)
  }
  const tell = async () => {
    world.clock.advance(1000)
    const answer = await bodyOf(its.data('POST', '/api/company-data/broadcast', { body: { body: 'We move' } }), 202)
    return String(answer['broadcast_id'])
  }
  const read = (upTo: string, calls = reader.calls, thread = path) =>
    calls('POST', `${thread}/read`, { body: { message_id: upTo } })
  const isRead = async () => (await itemsOf(reader.calls, path)).map((item) => item['read_at'] !== null).toReversed()
  await its.drain()

  const [before, broadcast, after] = [await send('one'), await tell(), await send('two')]
  await expect.poll(isRead).toEqual([false, false, false])
  expect(await bodyOf(reader.calls('GET', path))).toMatchObject({ total: 3, unread_count: 3 })
  const answer = { acknowledged_up_to: broadcast, unread_count: 1 }
  expect(await bodyOf(read(broadcast))).toEqual(answer)
  expect(await bodyOf(read(broadcast))).toEqual(answer)
  expect(await isRead()).toEqual([true, true, false])
  const receipts = async () =>
    (await itemsOf(its.data, sentPath(id))).map((item) => [item['id'], item['read_at'] !== null])
  await expect.poll(receipts).toEqual([
    [after, false],
    [broadcast, false],
    [before, true],
  ])

  const second = await tell()
  const last = await send('three')
  await expect.poll(isRead).toEqual([true, true, false, false, false])
  expect(await bodyOf(read(last))).toEqual({ acknowledged_up_to: last, unread_count: 0 })
  expect(await isRead()).toEqual([true, true, true, true, true])
  expect(await bodyOf(read(second))).toEqual({ acknowledged_up_to: second, unread_count: 0 })

  const theirs = ownPath(other.connectionId)
  expect(await bodyOf(other.person.calls('GET', theirs))).toMatchObject({ total: 2, unread_count: 2 })
  const elsewhere = await world.customer(await world.service([], { company }), [])
  const foreign = await read(broadcast, elsewhere.person.calls, ownPath(elsewhere.connectionId))
  expect(foreign).toMatchObject(refused(400, 'company_data.ack_boundary_invalid'))
  expect(await its.drain()).toEqual([])
})

describe('reading', () => {
  test('newest first, in pages', async () => {
    const its = await world.service([], { company })
    const { person: customer, connectionId: id } = await world.customer(its, [])
    const ids: string[] = []
    for (const text of ['a', 'b', 'c']) ids.unshift(await write(its, customer, id, text))
    const page = await bodyOf(its.data('GET', `${sentPath(id)}?limit=2`))
    expect(page).toMatchObject({ total: 3, unread_count: 0, items: [{ id: ids[0] }, { id: ids[1] }] })
    const rest = await bodyOf(its.data('GET', `${sentPath(id)}?limit=2&cursor=${String(page['next_cursor'])}`))
    expect(rest).toMatchObject({ total: 3, items: [{ id: ids[2] }], next_cursor: null })
    expect(await bodyOf(its.data('GET', `${sentPath(id)}?offset=1&limit=1`))).toMatchObject({ items: [{ id: ids[1] }] })
    await arrivedAt(customer.calls, ownPath(id), String(ids[0]))
    expect(await bodyOf(customer.calls('GET', ownPath(id)))).toMatchObject({
      total: 3,
      unread_count: 3,
      items: ids.map((each) => ({ id: each, from: 'company' })),
    })
  })
})

describe('who may', () => {
  const calls = [
    ['GET', '', undefined],
    ['POST', '', { body: 'x' }],
    ['POST', '/read', { message_id: MISSING }],
    ['DELETE', '', undefined],
  ] as const

  test.each(calls)('%s …/messages%s of a stranger answers like a missing connection', async (method, more, body) => {
    for (const [caller, path] of [
      [strange.data, sentPath],
      [otherPerson.calls, ownPath],
    ] as const) {
      const other = await caller(method, `${path(connectionId)}${more}`, { body })
      const missing = await caller(method, `${path(MISSING)}${more}`, { body })
      expect(other).toMatchObject(refused(404, 'company_data.connection_not_found'))
      expect(other.text).toBe(missing.text)
    }
  })

  test.each(calls)('%s …/messages%s needs a login', async (method, more, body) => {
    for (const path of [sent, own]) {
      expect(await world.anonymous(method, `${path}${more}`, { body })).toMatchObject(
        refused(401, 'auth.token_missing'),
      )
    }
  })
})
