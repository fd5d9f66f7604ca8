import { bodyOf, openWorld, refused } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { suspend } from './index.ts'
import { itemsOf, ownPath, sentPath } from './testing/messages.ts'

const BROADCAST = '/api/company-data/broadcast'
// Of its own, because of its settings.
const world = await openWorld({
  settings: { BROADCAST_MAX: '2', RATE_MESSAGES: '3', RATE_MESSAGES_PERSON: '2', RATE_BROADCAST_HOUR: '3' },
})
const company = await world.company()

async function shop(customers = 1) {
  const service = await world.service([], { company })
  const all = []
  for (let each = 0; each < customers; each += 1) all.push(await world.customer(service, []))
  return { service, customers: all }
}

test('a broadcast stands in every thread, on both sides, and not in later ones [MSG-05]', async () => {
  const { service, customers } = await shop(2)
  world.clock.advance(1000)
  const answer = await bodyOf(service.data('POST', BROADCAST, { body: { body: 'We move' }, key: 'move' }), 202)
  expect(answer).toEqual({ broadcast_id: expect.any(String), recipients: 2 })
  expect(await bodyOf(service.data('POST', BROADCAST, { body: { body: 'We move' }, key: 'move' }), 202)).toEqual(answer)
  const item = {
    message_id: answer['broadcast_id'],
    id: answer['broadcast_id'],
    from: 'company',
    body: 'We move',
    broadcast: true,
    created_at: world.time(),
    read_at: null,
  }
  for (const { person, connectionId } of customers) {
    expect(await bodyOf(service.data('GET', sentPath(connectionId)))).toMatchObject({ total: 1, items: [item] })
    await expect.poll(() => itemsOf(person.calls, ownPath(connectionId))).toEqual([item])
    expect(await bodyOf(person.calls('GET', ownPath(connectionId)))).toMatchObject({ total: 1, unread_count: 1 })
  }
  world.clock.advance(1000)
  const later = await world.customer(service, [])
  expect(await itemsOf(service.data, sentPath(later.connectionId))).toEqual([])
  expect(await itemsOf(later.person.calls, ownPath(later.connectionId))).toEqual([])
})

test('devices of persons get a hint, company customers an event; later customers neither', async () => {
  const { service, customers } = await shop()
  const buyer = await world.company({ region: 'us' })
  const id = await buyer.connected(service)
  const client = await buyer.accountClient(['customer_connections'])
  const changes = async () => (await bodyOf(client.calls('GET', '/api/customer/changes')))['changes']
  await expect.poll(changes).toMatchObject([{ event: 'connection_created' }])
  const sent = await bodyOf(service.data('POST', BROADCAST, { body: { body: 'We move' } }), 202)
  await expect
    .poll(changes)
    .toMatchObject([{ event: 'message_received', message_id: sent['broadcast_id'], connection_id: id }])
  const hints = (userId = '') =>
    world.rows<{ id: string }>(
      `select object_id as id from devices.hint where account_id = $1 and kind = 'message_received'`,
      [userId],
      'us',
    )
  const [first] = customers
  await expect.poll(() => hints(first?.person.userId)).toEqual([{ id: first?.connectionId }])
  world.clock.advance(1000)
  const later = await world.customer(service, [])
  expect(await bodyOf(later.person.calls('GET', ownPath(later.connectionId)))).toMatchObject({ unread_count: 0 })
  expect(await hints(later.person.userId)).toEqual([])
})

test('a service with more connections than the limit cannot broadcast', async () => {
  const { service } = await shop(3)
  expect(await service.data('POST', BROADCAST, { body: { body: 'To all' } })).toMatchObject(
    refused(422, 'messages.broadcast_audience_too_large'),
  )
})

test.each([{}, { body: '' }, { body: 7 }, { body: 'ü'.repeat(40_000) }])('another body is refused', async (body) => {
  const service = await world.service([])
  expect(await service.data('POST', BROADCAST, { body })).toMatchObject(refused(400, 'request.invalid'))
})

test('broadcasts are limited per hour, and need a login', async () => {
  const service = await world.service([], { company })
  for (let each = 0; each < 3; each += 1) await bodyOf(service.data('POST', BROADCAST, { body: { body: 'x' } }), 202)
  expect(await service.data('POST', BROADCAST, { body: { body: 'x' } })).toMatchObject(
    refused(429, 'messages.rate_limited'),
  )
  expect(await world.anonymous('POST', BROADCAST, { body: { body: 'x' } })).toMatchObject(
    refused(401, 'auth.token_missing'),
  )
})

test('messages are limited per connection and per sender', async () => {
  const { service, customers } = await shop(2)
  const [one, other] = customers
  const body = { body: await service.seal('x') }
  const to = (id = '') => service.data('POST', sentPath(id), { body })
  await bodyOf(to(one?.connectionId), 201)
  await bodyOf(to(one?.connectionId), 201)
  expect(await to(one?.connectionId)).toMatchObject(refused(429, 'messages.rate_limited'))
  // The refused call has taken nothing from the bucket of the service.
  expect(await to(other?.connectionId)).toMatchObject({ status: 201 })
  expect(await to(other?.connectionId)).toMatchObject(refused(429, 'messages.rate_limited'))
  const back = () => one?.person.calls('POST', ownPath(one.connectionId), { body })
  expect(await back()).toMatchObject({ status: 201 })
  expect(await back()).toMatchObject({ status: 201 })
  expect(await back()).toMatchObject(refused(429, 'messages.rate_limited'))
})

test('an operator suspends the broadcasts of a service, or all its messages', async () => {
  const { service, customers } = await shop()
  const { connectionId = '', person } = customers[0] ?? {}
  const name = { companyId: company.companyId, serviceId: service.serviceId }
  const { service: context } = world.eu.modules.messages
  const broadcast = () => service.data('POST', BROADCAST, { body: { body: 'x' } })
  expect(await suspend(context, name, 'broadcasts', true)).toBe(true)
  expect(await broadcast()).toMatchObject(refused(403, 'messages.broadcast_suspended'))
  const body = { body: await service.seal('x') }
  expect(await service.data('POST', sentPath(connectionId), { body })).toMatchObject({ status: 201 })
  await suspend(context, name, 'messages', true)
  expect(await service.data('POST', sentPath(connectionId), { body })).toMatchObject(
    refused(403, 'messages.messaging_suspended'),
  )
  expect(await broadcast()).toMatchObject(refused(403, 'messages.messaging_suspended'))
  expect(await person?.calls('POST', ownPath(connectionId), { body })).toMatchObject({ status: 201 })
  await suspend(context, name, 'messages', false)
  await suspend(context, name, 'broadcasts', false)
  expect(await broadcast()).toMatchObject({ status: 202 })
})
