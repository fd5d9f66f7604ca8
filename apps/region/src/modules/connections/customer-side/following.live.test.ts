import {
  demand,
  type Desk,
  keyOf,
  openCustomer,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let two: TwoRegions
let person: TestCustomer

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
  await demand(person.put('first_name', 'Ada'), 200)
  await demand(person.put('last_name', 'Lovelace'), 200)
})
afterAll(() => two.close())

/** A service with a live slot and a snapshot of the first name, and another text. */
async function connected(): Promise<{ desk: Desk; id: string }> {
  const desk = await openDesk(two, [{ slug: 'name' }, { slug: 'snapshot', one_time: true }, { slug: 'note' }])
  const decisions = [
    await person.linked(desk, 'name', 'first_name', 'Ada'),
    await person.once(desk, 'snapshot', 'Ada', 'first_name'),
    await person.typed(desk, 'note', 'hello'),
  ]
  const id = await person.connected(desk, decisions)
  await desk.drain()
  return { desk, id }
}

function remap(id: string, decisions: readonly unknown[]) {
  return person.calls('PUT', `/api/company-connections/${id}/services/${id}/mappings`, { body: { decisions } })
}

describe('an edit', () => {
  test('reaches every live slot of the field and no snapshot [CONN-21] [CONN-06]', async () => {
    const [one, second] = [await connected(), await connected()]
    const incomplete = await person.put('first_name', 'Augusta', [
      { desk: one.desk, connectionId: one.id, slug: 'name' },
    ])
    expect([incomplete.status, incomplete.body]).toMatchObject([
      400,
      { error_key: 'contact_data.shares_incomplete', missing: [{ connection_id: second.id, slug: 'name' }] },
    ])
    const shares = [one, second].map(({ desk, id }) => ({ desk, connectionId: id, slug: 'name' }))
    await demand(person.put('first_name', 'Augusta', shares), 200)
    for (const { desk, id } of [one, second]) {
      await desk.waitForValue(id, 'name', 'Augusta')
      expect(await desk.value(id, 'snapshot')).toBe('Ada')
      expect(await desk.events(1)).toEqual([
        expect.objectContaining({ event: 'field_updated', slug: 'name', live: true, connection_id: id }),
      ])
    }
    for (const { id } of [one, second]) await demand(person.calls('DELETE', `/api/company-connections/${id}`), 204)
  })

  test('is applied in order: the last of a hundred is final, and no older one follows it', async () => {
    const { desk, id } = await connected()
    const seen: string[] = []
    for (let index = 1; index <= 100; index += 1) {
      await demand(person.put('first_name', `Ada ${index}`, [{ desk, connectionId: id, slug: 'name' }]), 200)
      if (index % 20 === 0) seen.push((await desk.value(id, 'name')) ?? '')
    }
    await desk.waitForValue(id, 'name', 'Ada 100')
    const numbers = seen.map((text) => Number(text.split(' ')[1] ?? 0))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    await demand(person.calls('DELETE', `/api/company-connections/${id}`), 204)
  }, 120_000)
})

describe('a re-map', () => {
  test('moves a slot to another field, keeps repeated slots and withdraws omitted ones [CONN-22]', async () => {
    const { desk, id } = await connected()
    const moved = await remap(id, [await person.linked(desk, 'name', 'last_name', 'Lovelace')])
    expect(moved.status).toBe(200)
    await desk.waitForValue(id, 'name', 'Lovelace')
    await desk.waitForValue(id, 'note', null)
    expect(await desk.value(id, 'snapshot')).toBe('Ada')
    expect(await person.read(id)).toMatchObject({ pending_consent: ['note'] })
    const events = await desk.events(2)
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'field_updated', slug: 'name' }),
        expect.objectContaining({ event: 'field_deleted', slug: 'note' }),
      ]),
    )
    const kept = { request_field_id: desk.row('name'), kind: 'linked', source_field_id: person.field('last_name') }
    expect((await remap(id, [kept])).status).toBe(200)
    await demand(person.put('last_name', 'King', [{ desk, connectionId: id, slug: 'name' }]), 200)
    await desk.waitForValue(id, 'name', 'King')
    await demand(person.put('first_name', 'Ada', []), 200)
  })

  test('cannot withdraw a row that must stay connected', async () => {
    const desk = await openDesk(two, [
      { slug: 'stays', mandatory_connected: true },
      { slug: 'given', mandatory_provide: true },
    ])
    const id = await person.connected(desk, [
      await person.typed(desk, 'stays', 'a'),
      await person.typed(desk, 'given', 'b'),
    ])
    const refused = await remap(id, [])
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error_key: 'company_connections.mandatory_missing', slugs: ['stays'] },
    ])
    expect((await remap(id, [{ request_field_id: desk.row('stays'), kind: 'typed' }])).status).toBe(200)
    await desk.waitForValue(id, 'given', null)
    expect(await desk.value(id, 'stays')).toBe('a')
  })

  test('is refused if it is unsealed or names another link', async () => {
    const desk = await openDesk(two, [{ slug: 'name' }])
    const id = await person.connected(desk, [])
    const clear = await remap(id, [{ request_field_id: desk.row('name'), kind: 'typed', value: 'clear' }])
    expect([clear.status, keyOf(clear)]).toEqual([400, 'contact_data.encryption_required'])
    const path = `/api/company-connections/${id}/services/019a0000-0000-7000-8000-000000000000/mappings`
    const otherLink = await person.calls('PUT', path, { body: { decisions: [] } })
    expect([otherLink.status, keyOf(otherLink)]).toEqual([404, 'company_data.connection_not_found'])
  })
})

test('deleting a value empties every slot that followed it, also a mandatory one', async () => {
  const desk = await openDesk(two, [
    { slug: 'phone', type: 'phone', mandatory_connected: true },
    { slug: 'once', type: 'phone', one_time: true },
  ])
  await demand(person.put('phone', '+31612345678'), 200)
  const id = await person.connected(desk, [
    await person.linked(desk, 'phone', 'phone', '+31612345678'),
    await person.once(desk, 'once', '+31612345678', 'phone'),
  ])
  await desk.drain()
  await demand(person.calls('DELETE', `/api/contact-data/${person.field('phone')}`), 204)
  await desk.waitForValue(id, 'phone', null)
  expect(await desk.value(id, 'once')).toBe('+31612345678')
  expect(await desk.events(1)).toEqual([expect.objectContaining({ event: 'field_deleted', slug: 'phone' })])
  expect(await person.read(id)).toMatchObject({ pending_consent: ['phone'] })
})
