import { keyOf, listOf, membersOf, openWorld, scaled, type Service } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const CONNECTIONS = '/api/company-connections'
const IN_TIME = { timeout: scaled(15_000) }

const world = await openWorld()
const service = await world.service([{ slug: 'name' }])
const { person, connectionId: id } = await world.customer(service, [{ slug: 'name', text: 'Ada' }])
await service.drain()

async function pending(): Promise<readonly string[]> {
  const { body } = await person.calls('GET', `${CONNECTIONS}/consents`)
  const [consent] = listOf(body['consents'])
  return listOf(consent?.['request_fields']).map(({ slug }) => String(slug))
}

const decline = (body?: object) =>
  person.calls('POST', `${CONNECTIONS}/consents/${id}/decline`, body === undefined ? {} : { body })

describe('a new request row at a live connection', () => {
  test('is pending until it is decided', async () => {
    await service.publish([
      { slug: 'name' },
      { slug: 'town', mandatory_provide: true },
      { slug: 'street', mandatory_connected: true },
      { slug: 'vat', audience: 'company' },
    ])
    await expect.poll(pending, IN_TIME).toEqual(['town', 'street'])
    const { body } = await person.calls('GET', `${CONNECTIONS}/consents`)
    expect(body).toMatchObject({
      consents: [{ id, connection_id: id, service_link_id: id, created_at: expect.any(String) }],
      total: 1,
      next_cursor: null,
    })
    expect(await person.connection(id)).toMatchObject({ pending_consent: ['town', 'street'] })
    expect(await service.read(id)).toMatchObject({ pending_consent: ['town', 'street'] })
  })

  test('can be provided in part; the rest stays pending and a repeated call gets the same answer', async () => {
    const decision = {
      request_field_id: service.row('town'),
      kind: 'typed',
      value: await service.seal('London'),
    } as const
    const first = await person.provide(service, id, [decision])
    expect(first.status).toBe(200)
    await service.waitForValue(id, 'town', 'London')
    expect(await pending()).toEqual(['street'])
    const repeated = await person.provide(service, id, [decision])
    expect([repeated.status, repeated.text]).toEqual([200, first.text])
    expect(await service.events(1)).toEqual([
      expect.objectContaining({ event: 'consent_accepted', slug: 'town', live: true }),
    ])
    expect(await service.value(id, 'town')).toBe('London')
  })

  test('is answered once: another decision is refused, and none of its call is stored', async () => {
    const town = { slug: 'town', text: 'Paris' }
    for (const decisions of [[town], [town, { slug: 'street', text: 'Lane' }]]) {
      const refused = await person.provide(service, id, decisions)
      expect([refused.status, keyOf(refused)]).toEqual([409, 'company_connections.consent_answered'])
      expect(refused.body).toMatchObject({ slugs: ['town'] })
    }
    expect(await pending()).toEqual(['street'])
    expect(await service.drain()).toEqual([])
    expect(await service.value(id, 'town')).toBe('London')
  })

  test('is answered once by two devices that answer at the same time', async () => {
    const other = await world.service([{ slug: 'name' }], { company: service.company })
    const connectionId = await person.connected(other, [{ slug: 'name', text: 'Ada' }])
    await other.publish([{ slug: 'name' }, { slug: 'town' }])
    const isPending = async () => (await person.connection(connectionId))['pending_consent']
    await expect.poll(isPending, IN_TIME).toEqual(['town'])
    const answers = await Promise.all(
      ['London', 'Paris'].map((text) => person.provide(other, connectionId, [{ slug: 'town', text }])),
    )
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409])
    const kept = answers[0]?.status === 200 ? 'London' : 'Paris'
    await other.waitForValue(connectionId, 'town', kept)
  })

  test('can be declined although it is mandatory, and the connection stays [REQF-08]', async () => {
    expect(await decline()).toMatchObject({ status: 200 })
    expect(await pending()).toEqual([])
    expect(await person.connection(id)).toMatchObject({ pending_consent: [], declined: ['street'] })
    expect(await service.events(1)).toEqual([expect.objectContaining({ event: 'consent_declined', slug: 'street' })])
    expect(await decline()).toMatchObject({ status: 200 })
    expect(await service.drain()).toEqual([])
    expect((await service.read(id))?.['status']).toBe('connected')
  })

  test('can be provided by a re-map after it was declined', async () => {
    const refused = await person.provide(service, id, [{ slug: 'street', text: 'Lane' }])
    expect([refused.status, keyOf(refused)]).toEqual([409, 'company_connections.consent_answered'])
    expect(await person.remap(service, id, [{ slug: 'street', text: 'Lane' }])).toMatchObject({ status: 200 })
    await service.waitForValue(id, 'street', 'Lane')
    expect(await service.events(1)).toEqual([expect.objectContaining({ event: 'consent_accepted', slug: 'street' })])
  })

  test('loses its slot, mapping and pending consent when the row is removed', async () => {
    await service.publish([{ slug: 'name' }, { slug: 'town' }])
    await service.waitForValue(id, 'street', null)
    expect(await service.events(1)).toEqual([expect.objectContaining({ event: 'field_deleted', slug: 'street' })])
    const mapped = async () => listOf((await person.connection(id))['mappings']).map(({ slug }) => slug)
    await expect.poll(mapped, IN_TIME).toEqual(['name', 'town'])
    expect(await pending()).toEqual([])
  })
})

describe('a consent is refused', () => {
  test('if it is unsealed, for an unknown row, or twice for one row', async () => {
    const row = service.row('town')
    const clear = await person.provide(service, id, [{ request_field_id: row, kind: 'typed', value: 'clear' }])
    expect([clear.status, keyOf(clear)]).toEqual([400, 'contact_data.encryption_required'])
    const decision = { slug: 'town', text: 'x' }
    const twice = await person.provide(service, id, [decision, decision])
    expect([twice.status, keyOf(twice)]).toEqual([400, 'request.invalid'])
    const unknown = await decline({ request_field_ids: ['019a0000-0000-7000-8000-000000000000'] })
    expect([unknown.status, keyOf(unknown)]).toEqual([400, 'request.invalid'])
    const answered = await decline({ request_field_ids: [row] })
    expect([answered.status, keyOf(answered)]).toEqual([400, 'request.invalid'])
  })

  test('without a login', async () => {
    for (const path of ['consents', `consents/${id}/provide`, `consents/${id}/decline`]) {
      const method = path === 'consents' ? 'GET' : 'POST'
      const answer = await world.anonymous(method, `${CONNECTIONS}/${path}`, { url: person.apiUrl })
      expect(answer.status).toBe(401)
    }
  })
})

describe('the verification of a field', () => {
  const { email } = person
  const linked = { slug: 'mail', kind: 'linked', source: 'email', text: email } as const

  async function slotOf(from: Service, connectionId: string): Promise<Record<string, unknown>> {
    return membersOf(membersOf((await from.read(connectionId))?.['values'])['mail'])
  }
  const isVerified = async () => typeof (await slotOf(service, id))['verified_hash'] === 'string'

  test('changes the slot but not its value when gained or lost [CONN-23]', async () => {
    expect(await person.put('email', email)).toMatchObject({ status: 200 })
    await service.publish([{ slug: 'name' }, { slug: 'town' }, { slug: 'mail', type: 'email' }])
    await expect.poll(pending, IN_TIME).toEqual(['mail'])
    expect(await person.provide(service, id, [linked])).toMatchObject({ status: 200 })
    await service.waitForValue(id, 'mail', email)
    await service.drain()
    await person.verifyEmail()
    await expect.poll(isVerified, IN_TIME).toBe(true)
    expect(await service.value(id, 'mail')).toBe(email)
    expect(await service.events(1)).toEqual([
      expect.objectContaining({ event: 'field_updated', slug: 'mail', verified_method: 'email_code' }),
    ])
    expect(await person.calls('DELETE', `/api/contact-data/${person.field('email')}/verification`)).toMatchObject({
      status: 204,
    })
    await expect.poll(isVerified, IN_TIME).toBe(false)
    expect(await service.value(id, 'mail')).toBe(email)
    const [lost] = await service.events(1)
    expect(lost).toMatchObject({ event: 'field_updated', slug: 'mail' })
    expect(lost?.['verified_hash'] ?? null).toBeNull()
  })

  test('is required by a verified row', async () => {
    const row = { slug: 'mail', type: 'email', verified: true, verified_max_age_days: 30 }
    const strict = await world.service([row], { company: service.company })
    const refused = await person.connect(strict, [linked])
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error_key: 'request.invalid', details: [{ path: '/body/decisions/0/source_field_id' }] },
    ])
    await person.verifyEmail()
    const connected = await person.connected(strict, [linked])
    expect(await slotOf(strict, connected)).toMatchObject({ verified_method: 'email_code' })
  })
})
