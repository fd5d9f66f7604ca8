import { keyOf, openWorld, scaled, type Service } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const CONNECTIONS = '/api/company-connections'

const world = await openWorld()
const company = await world.company()
const person = await world.person()
expect(await person.put('first_name', 'Ada')).toMatchObject({ status: 200 })
expect(await person.put('last_name', 'Lovelace')).toMatchObject({ status: 200 })

/** A service with a live slot and a snapshot of the first name, and another text. */
async function connected(): Promise<{ service: Service; id: string }> {
  const fields = [{ slug: 'name' }, { slug: 'snapshot', one_time: true }, { slug: 'note' }]
  const service = await world.service(fields, { company })
  const id = await person.connected(service, [
    { slug: 'name', kind: 'linked', source: 'first_name', text: 'Ada' },
    { slug: 'snapshot', kind: 'one_time', source: 'first_name', text: 'Ada' },
    { slug: 'note', text: 'hello' },
  ])
  await service.drain()
  return { service, id }
}

describe('an edit', () => {
  test('reaches every live slot of the field and no snapshot [CONN-21] [CONN-06]', async () => {
    const both = [await connected(), await connected()] as const
    const [first, second] = both.map(({ service, id }) => ({ service, connectionId: id, slug: 'name' }))
    if (first === undefined || second === undefined) expect.fail('no shares')
    const incomplete = await person.put('first_name', 'Augusta', [first])
    expect([incomplete.status, incomplete.body]).toMatchObject([
      400,
      { error_key: 'contact_data.shares_incomplete', missing: [{ connection_id: second.connectionId, slug: 'name' }] },
    ])
    expect(await person.put('first_name', 'Augusta', [first, second])).toMatchObject({ status: 200 })
    for (const { service, id } of both) {
      await service.waitForValue(id, 'name', 'Augusta')
      expect(await service.value(id, 'snapshot')).toBe('Ada')
      expect(await service.events(1)).toEqual([
        expect.objectContaining({ event: 'field_updated', slug: 'name', live: true, connection_id: id }),
      ])
    }
    for (const { id } of both) expect(await person.disconnect(id)).toMatchObject({ status: 204 })
  })

  test(
    'is applied in order: the last of a hundred is final, and no older one follows it',
    { timeout: scaled(60_000) },
    async () => {
      const { service, id } = await connected()
      const seen: string[] = []
      for (let index = 1; index <= 100; index += 1) {
        expect(
          await person.put('first_name', `Ada ${index}`, [{ service, connectionId: id, slug: 'name' }]),
        ).toMatchObject({ status: 200 })
        if (index % 20 === 0) seen.push((await service.value(id, 'name')) ?? '')
      }
      await service.waitForValue(id, 'name', 'Ada 100')
      const numbers = seen.map((text) => Number(text.split(' ')[1] ?? 0))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      expect(await person.disconnect(id)).toMatchObject({ status: 204 })
    },
  )
})

describe('a re-map', () => {
  test('moves a slot to another field, keeps what it does not name and withdraws what it says [CONN-22]', async () => {
    const { service, id } = await connected()
    const decision = { slug: 'name', kind: 'linked', source: 'last_name' } as const
    expect((await person.remap(service, id, [{ ...decision, text: 'Lovelace' }])).status).toBe(200)
    await service.waitForValue(id, 'name', 'Lovelace')
    expect(await service.value(id, 'note')).toBe('hello')
    expect(await service.value(id, 'snapshot')).toBe('Ada')
    expect(await person.connection(id)).toMatchObject({ pending_consent: [] })
    expect(await person.remap(service, id, [{ slug: 'note', kind: 'none' }])).toMatchObject({ status: 200 })
    await service.waitForValue(id, 'note', null)
    expect([await service.value(id, 'name'), await service.value(id, 'snapshot')]).toEqual(['Lovelace', 'Ada'])
    expect(await person.connection(id)).toMatchObject({ pending_consent: ['note'] })
    expect(await service.events(2)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'field_updated', slug: 'name' }),
        expect.objectContaining({ event: 'field_deleted', slug: 'note' }),
      ]),
    )
    expect((await person.remap(service, id, [decision, { slug: 'note', kind: 'none' }])).status).toBe(200)
    expect((await person.remap(service, id, [{ slug: 'snapshot', kind: 'none' }])).status).toBe(200)
    await service.waitForValue(id, 'snapshot', null)
    expect(await person.put('last_name', 'King', [{ service, connectionId: id, slug: 'name' }])).toMatchObject({
      status: 200,
    })
    await service.waitForValue(id, 'name', 'King')
    expect((await person.put('first_name', 'Ada')).status).toBe(200)
  })

  test('cannot withdraw a mandatory row', async () => {
    const fields = [
      { slug: 'stays', mandatory_connected: true },
      { slug: 'given', mandatory_provide: true },
    ]
    const service = await world.service(fields, { company })
    const id = await person.connected(service, [
      { slug: 'stays', text: 'a' },
      { slug: 'given', text: 'b' },
    ])
    for (const slug of ['stays', 'given']) {
      const refused = await person.remap(service, id, [{ slug, kind: 'none' }])
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { error_key: 'company_connections.mandatory_missing', slugs: [slug] },
      ])
    }
    expect((await person.remap(service, id, [])).status).toBe(200)
    expect((await person.remap(service, id, [{ slug: 'stays', text: 'c' }])).status).toBe(200)
    await service.waitForValue(id, 'stays', 'c')
    expect(await service.value(id, 'given')).toBe('b')
  })

  test('is refused if it is unsealed or names another link', async () => {
    const service = await world.service([{ slug: 'name' }], { company })
    const id = await person.connected(service)
    const decision = { request_field_id: service.row('name'), kind: 'typed', value: 'clear' } as const
    const clear = await person.remap(service, id, [decision])
    expect([clear.status, keyOf(clear)]).toEqual([400, 'contact_data.encryption_required'])
    const path = `${CONNECTIONS}/${id}/services/019a0000-0000-7000-8000-000000000000/mappings`
    const otherLink = await person.calls('PUT', path, { body: { decisions: [] } })
    expect([otherLink.status, keyOf(otherLink)]).toEqual([404, 'company_data.connection_not_found'])
  })
})

describe('a deletion', () => {
  test.each(['contact-data', 'contact-fields'])(
    'under /api/%s empties every slot that followed the value, also a mandatory one, and no snapshot [CONN-22]',
    async (what) => {
      const { fieldId, text } = await ownField()
      const fields = [
        { slug: 'phone', type: 'phone', mandatory_connected: true },
        { slug: 'second', type: 'phone' },
      ]
      const service = await world.service([...fields, { slug: 'once', type: 'phone', one_time: true }], { company })
      const decide = async (slug: string, kind: 'linked' | 'one_time') => ({
        request_field_id: service.row(slug),
        kind,
        source_field_id: fieldId,
        value: await service.seal(text),
      })
      const id = await person.connected(service, [
        await decide('phone', 'linked'),
        await decide('second', 'linked'),
        await decide('once', 'one_time'),
      ])
      await service.drain()
      expect(await service.value(id, 'phone')).toBe(text)
      expect(await person.calls('DELETE', `/api/${what}/${fieldId}`)).toMatchObject({ status: 204 })
      for (const slug of ['phone', 'second']) await service.waitForValue(id, slug, null)
      expect(await service.value(id, 'once')).toBe(text)
      expect(await service.read(id)).toMatchObject({ pending_consent: ['phone', 'second'] })
      expect(await person.connection(id)).toMatchObject({ pending_consent: ['phone', 'second'] })
      const events = await service.events(2)
      expect(events.map(({ event, slug }) => `${event} ${String(slug)}`).toSorted()).toEqual([
        'field_deleted phone',
        'field_deleted second',
      ])
    },
  )
})

/** A field that the person has added, with a value. */
async function ownField(): Promise<{ fieldId: string; text: string }> {
  const text = '+31612345678'
  const made = await person.calls('POST', '/api/contact-fields', { body: { label: 'Boat', type: 'phone' } })
  const fieldId = String(made.body['id'])
  const body = { value: await person.sealToSelf(text), shares: [] }
  expect(await person.calls('PUT', `/api/contact-data/${fieldId}`, { body })).toMatchObject({ status: 200 })
  return { fieldId, text }
}
