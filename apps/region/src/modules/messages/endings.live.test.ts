import { instant } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { bodyOf, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { tidyThreads as tidyCustomerThreads } from './customer-side/index.ts'
import { tidyThreads as tidyServiceThreads } from './service-side/index.ts'
import { itemsOf, ownPath, sentPath, write, writeBack } from './testing/messages.ts'

const DAY_MS = 86_400_000
const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const { person } = await world.customer(service, [])

const arrivedAt = async (calls: typeof person.calls, path: string, id: string) =>
  expect.poll(async () => (await itemsOf(calls, path)).map((item) => item['message_id'])).toContain(id)

describe('the end of a connection', () => {
  const bothHave = async (id: string, connection: string, customer: typeof person) => {
    await arrivedAt(customer.calls, ownPath(connection), id)
  }

  const textsOf = async (calls: typeof person.calls, path: string) => {
    const { items, total, unread_count } = await bodyOf(calls('GET', path))
    return { total, unread_count, ids: (items as readonly Record<string, unknown>[]).map(({ id }) => id) }
  }

  test('closes the thread: each side reads its own copies until it deletes them, and sends nothing', async () => {
    const its = await world.service([], { company })
    const { person: customer, connectionId: id } = await world.customer(its, [])
    const { broadcast_id: told } = await bodyOf(
      its.data('POST', '/api/company-data/broadcast', { body: { body: 'New prices' } }),
      202,
    )
    const first = await write(its, customer, id, 'Good-bye')
    await bothHave(first, id, customer)
    const answer = await writeBack(customer, its, id, 'Farewell')
    await arrivedAt(its.data, sentPath(id), answer)
    const sides = [
      [its.data, sentPath(id), await itemsOf(its.data, sentPath(id))],
      [customer.calls, ownPath(id), await itemsOf(customer.calls, ownPath(id))],
    ] as const
    await customer.disconnect(id)
    world.clock.advance(1000)
    await bodyOf(its.data('POST', '/api/company-data/broadcast', { body: { body: 'After the end' } }), 202)
    const body = { body: await its.seal('Too late') }
    for (const [caller, path, before] of sides) {
      for (const [method, more, given] of [
        ['POST', '', body],
        ['POST', '/read', { message_id: first }],
      ] as const)
        expect(await caller(method, `${path}${more}`, { body: given })).toMatchObject(
          refused(403, 'messages.not_connected'),
        )
      expect(await itemsOf(caller, path)).toEqual(before)
      const { ids, ...counted } = await textsOf(caller, path)
      expect(counted).toEqual({ total: 3, unread_count: 0 })
      // Ids of two regions from one instant have no order.
      expect(ids).toHaveLength(3)
      expect(ids).toEqual(expect.arrayContaining([answer, first, told]))
    }
    const [[ours, at], [theirs, there]] = sides
    await bodyOf(ours('DELETE', at), 204)
    await bodyOf(ours('DELETE', at), 204)
    expect(await textsOf(ours, at)).toEqual({ total: 0, unread_count: 0, ids: [] })
    expect(await ours('POST', at, { body })).toMatchObject(refused(403, 'messages.not_connected'))
    expect(await textsOf(theirs, there)).toMatchObject({ total: 3 })
    await bodyOf(theirs('DELETE', there), 204)
    expect(await textsOf(theirs, there)).toEqual({ total: 0, unread_count: 0, ids: [] })
  })

  test('the copies of an open thread can be deleted, and it goes on', async () => {
    const { person: customer, connectionId: id } = await world.customer(service, [])
    await bodyOf(service.data('POST', '/api/company-data/broadcast', { body: { body: 'News' } }), 202)
    await bothHave(await write(service, customer, id, 'One'), id, customer)
    await expect.poll(() => textsOf(customer.calls, ownPath(id))).toMatchObject({ total: 2, unread_count: 2 })
    world.clock.advance(1000)
    await bodyOf(customer.calls('DELETE', ownPath(id)), 204)
    expect(await textsOf(customer.calls, ownPath(id))).toEqual({ total: 0, unread_count: 0, ids: [] })
    expect(await textsOf(service.data, sentPath(id))).toMatchObject({ total: 2 })
    const next = await write(service, customer, id, 'Two')
    await bothHave(next, id, customer)
    expect(await textsOf(customer.calls, ownPath(id))).toEqual({ total: 1, unread_count: 1, ids: [next] })
    const body = { message_id: next }
    expect(await bodyOf(customer.calls('POST', `${ownPath(id)}/read`, { body }))).toMatchObject({ unread_count: 0 })
  })

  test('of an erased customer the service keeps its sealed copies, without the name', async () => {
    const { person: customer, connectionId: id } = await world.customer(service, [])
    await bothHave(await write(service, customer, id, 'Good-bye'), id, customer)
    const before = await itemsOf(service.data, sentPath(id))
    await customer.erase()
    for (const table of ['message', 'thread']) {
      const rows = `select 1 from messages_customer.${table} where connection_id = $1`
      await expect.poll(() => world.rows(rows, [id], 'us')).toEqual([])
    }
    const closed = 'select 1 from messages_service.thread where connection_id = $1 and is_ended'
    await expect.poll(() => world.rows(closed, [id])).toHaveLength(1)
    const late = { body: await service.seal('x') }
    expect(await service.data('POST', sentPath(id), { body: late })).toMatchObject(
      refused(403, 'messages.not_connected'),
    )
    expect(await itemsOf(service.data, sentPath(id))).toEqual(before)
    const thread = await world.rows('select * from messages_service.thread where connection_id = $1', [id])
    expect(JSON.stringify(thread)).not.toContain(customer.user.shareCode)
  })

  test('is followed by the deletion of the messages after two years, with the broadcasts of an ended service', async () => {
    const [stays, ends] = [await world.service([], { company }), await world.service([], { company })]
    const customer = await world.person()
    const threads: string[] = []
    for (const its of [stays, ends]) {
      const id = await customer.connected(its, [])
      await bodyOf(its.data('POST', '/api/company-data/broadcast', { body: { body: 'News' } }), 202)
      await bothHave(await write(its, customer, id, 'Hello'), id, customer)
      await expect.poll(async () => (await itemsOf(customer.calls, ownPath(id))).length).toBe(2)
      threads.push(id)
    }
    const [left = '', ended = ''] = threads
    await customer.disconnect(left)
    await bodyOf(ends.portal('DELETE', ends.path), 204)
    const closed = 'select 1 from messages_customer.thread where connection_id = $1 and is_ended'
    await expect.poll(() => world.rows(closed, [ended], 'us')).toHaveLength(1)
    const upkeep = async (days: number) => {
      const clock = { now: () => instant(world.clock.now() + days * DAY_MS) }
      await tidyServiceThreads({ ...world.eu.modules.messages.service, clock })
      await tidyCustomerThreads({ ...world.us.modules.messages.customer, clock })
    }
    await upkeep(729)
    for (const id of threads) expect(await itemsOf(customer.calls, ownPath(id))).toHaveLength(2)
    expect(await itemsOf(stays.data, sentPath(left))).toHaveLength(2)
    await upkeep(730)
    for (const id of threads) expect(await itemsOf(customer.calls, ownPath(id))).toEqual([])
    expect(await itemsOf(stays.data, sentPath(left))).toEqual([])
    const broadcasts = 'select 1 from messages_customer.broadcast where service_id = $1'
    expect(await world.rows(broadcasts, [ends.serviceId], 'us')).toEqual([])
    expect(await world.rows(broadcasts, [stays.serviceId], 'us')).toHaveLength(1)
  })

  test('a thread that the previous release has closed is empty', async () => {
    const { person: customer, connectionId: id } = await world.customer(service, [])
    await customer.disconnect(id)
    const { database } = world.eu.platform
    const old = `update messages_service.thread set connected_at = null, ended_at = null, messages = 0
      where service_id = $1 and connection_id = $2`
    await database.transaction((tx) => runStatement(tx, old, [service.serviceId, id]))
    expect(await textsOf(service.data, sentPath(id))).toEqual({ total: 0, unread_count: 0, ids: [] })
    const body = { body: await service.seal('x') }
    expect(await service.data('POST', sentPath(id), { body })).toMatchObject(refused(403, 'messages.not_connected'))
  })

  test('a deleted service leaves nothing at the company; its customers keep their copies', async () => {
    const its = await world.service([], { company })
    const { person: customer, connectionId: id } = await world.customer(its, [])
    await bodyOf(its.data('POST', '/api/company-data/broadcast', { body: { body: 'Soon closed' } }), 202)
    await bothHave(await write(its, customer, id, 'Good-bye'), id, customer)
    await bodyOf(its.portal('DELETE', its.path), 204)
    for (const table of ['message', 'thread', 'broadcast']) {
      const rows = `select 1 from messages_service.${table} where service_id = $1`
      await expect.poll(() => world.rows(rows, [its.serviceId])).toEqual([])
    }
    const ended = 'select 1 from messages_customer.thread where connection_id = $1 and is_ended'
    await expect.poll(() => world.rows(ended, [id], 'us')).toHaveLength(1)
    expect(await textsOf(customer.calls, ownPath(id))).toMatchObject({ total: 2, unread_count: 0 })
  })
})
