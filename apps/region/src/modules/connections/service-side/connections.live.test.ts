import { bodyOf, type Calls, keyOf, listOf, membersOf, openWorld, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { changeOpenContracts } from '../index.ts'

const CONNECTIONS = '/api/company-data/connections'
const UNKNOWN_ID = '019a0000-0000-7000-8000-00000000dead'
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/
const NOT_ATTESTED = {
  verified_hash: null,
  verified_salt: null,
  verified_at: null,
  verified_expires_at: null,
  verified_method: null,
  verified_provider: null,
  verification_id: null,
}

const street = '{"street":"Canal","city":"Delft"}'

const world = await openWorld()
const service = await world.service([
  { slug: 'home_address', label: 'Your home address', type: 'address', mandatory_provide: true },
  { slug: 'birthday', label: 'Your birthday', type: 'date', one_time: true },
  { slug: 'vat', audience: 'company' },
])
const { company } = service
const person = await world.person()
expect(await person.put('address', street)).toMatchObject({ status: 200 })
const id = await person.connected(service, [
  { slug: 'home_address', kind: 'linked', text: street, source: 'address' },
  { slug: 'birthday', kind: 'one_time', text: '1990-01-02' },
])
/** Of the same company. */
const sibling = await world.service([], { company })

function path(connectionId = id): string {
  return `${CONNECTIONS}/${connectionId}`
}

describe('GET /api/company-data/connections/{connectionId}', () => {
  test('shows the customer and the shared values, sealed to the service [CONN-01] [CONN-02] [CONN-03] [CONN-11] [REQF-02]', async () => {
    expect(await bodyOf(service.data('GET', path()))).toEqual({
      id,
      connection_id: id,
      person_id: person.userId,
      user_id: person.userId,
      display_name: person.displayName,
      connected_at: expect.stringMatching(TIME),
      customer_type: 'person',
      share_code: person.shareCode,
      status: 'connected',
      values: {
        home_address: {
          value: expect.any(String),
          live: true,
          updated_at: expect.stringMatching(TIME),
          ...NOT_ATTESTED,
        },
        birthday: { value: expect.any(String), live: false, updated_at: expect.stringMatching(TIME), ...NOT_ATTESTED },
      },
      values_private: { home_address: true, birthday: false },
      pending_consent: [],
      fields: [
        {
          slug: 'home_address',
          label: 'Your home address',
          type: 'address',
          service_field_id: service.row('home_address'),
          live: true,
          provided_at: expect.stringMatching(TIME),
        },
        {
          slug: 'birthday',
          label: 'Your birthday',
          type: 'date',
          service_field_id: service.row('birthday'),
          live: false,
          provided_at: expect.stringMatching(TIME),
        },
      ],
    })
    expect(await service.value(id, 'home_address')).toBe(street)
    expect(await service.value(id, 'birthday')).toBe('1990-01-02')
  })

  test('each value has all verification members, null when it is not verified [CONN-05]', async () => {
    const { values } = await bodyOf(service.data('GET', path()))
    const members = ['live', 'updated_at', 'value', ...Object.keys(NOT_ATTESTED)].toSorted()
    expect(Object.values(membersOf(values)).map((value) => Object.keys(membersOf(value)).toSorted())).toEqual([
      members,
      members,
    ])
  })

  test('a one-time row makes a snapshot, every other row a live value [CONN-06] [REQF-09]', async () => {
    const { values, fields } = await bodyOf(service.data('GET', path()))
    expect(values).toMatchObject({ home_address: { live: true }, birthday: { live: false } })
    expect(fields).toMatchObject([
      { slug: 'home_address', live: true },
      { slug: 'birthday', live: false },
    ])
  })

  test('values_private says by slug whether the source field is private [CONN-04]', async () => {
    const other = await world.person()
    expect((await other.put('address', street, [], { isPrivate: false })).status).toBe(200)
    const decision = { slug: 'home_address', kind: 'linked', text: street, source: 'address' } as const
    const connected = await other.connected(service, [decision])
    const { values_private } = await bodyOf(service.data('GET', path(connected)))
    expect(values_private).toEqual({ home_address: false })
  })

  test("another service's connection answers the same 404 as an unknown one [CONN-12]", async () => {
    const missing = await sibling.data('GET', path(UNKNOWN_ID))
    expect([missing.status, keyOf(missing)]).toEqual([404, 'company_data.connection_not_found'])
    const theirs = await sibling.data('GET', path())
    expect([theirs.status, theirs.text]).toEqual([missing.status, missing.text])
    expect((await sibling.data('GET', path('no-id'))).status).toBe(404)
  })

  test('without a token it answers 401', async () => {
    const answer = await world.anonymous('GET', path())
    expect([answer.status, keyOf(answer)]).toEqual([401, 'auth.token_missing'])
  })

  test('only the token determines the service: ids sent by the caller are ignored [AUTH-02]', async () => {
    const asked = await sibling.data('GET', `${CONNECTIONS}?service_id=${service.serviceId}`)
    expect(asked.body).toEqual({ total: 0, items: [], next_cursor: null })
    expect(await bodyOf(sibling.data('GET', '/api/company-data/whoami'))).toEqual({
      company_user_id: company.companyId,
      service_id: sibling.serviceId,
    })
  })

  test('whoami names the company and the service [CONN-16]', async () => {
    expect(await bodyOf(service.data('GET', '/api/company-data/whoami'))).toEqual({
      company_user_id: company.companyId,
      service_id: service.serviceId,
    })
  })
})

describe('changes of request rows', () => {
  test('a new row is pending and a removed row is hidden at once, in every process', async () => {
    const fresh = await world.service([{ slug: 'phone', type: 'phone' }], { company })
    const connected = await person.connected(fresh, [{ slug: 'phone', text: '+31201234567' }])
    const second = await world.another('eu')
    const both: readonly Calls[] = [fresh.data, (method, at) => fresh.data(method, at, { url: second.url ?? '' })]
    for (const data of both) expect(await bodyOf(data('GET', path(connected)))).toMatchObject({ pending_consent: [] })
    await fresh.publish([
      { slug: 'email', type: 'email' },
      { slug: 'vat', audience: 'company' },
    ])
    for (const data of both) {
      const record = await bodyOf(data('GET', path(connected)))
      expect(record).toMatchObject({ values: {}, values_private: {}, fields: [], pending_consent: ['email'] })
    }
  })
})

describe('GET /api/company-data/connections', () => {
  test('the cursor pages through all connections, each once, with a constant total [CONN-10]', async () => {
    const many = await world.service([{ slug: 'note' }], { company })
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      const decisions = count % 2 === 0 ? [{ slug: 'note', text: `n${count}` }] : []
      ids.push((await world.customer(many, decisions)).connectionId)
    }
    const idsOf = ({ items }: Readonly<Record<string, unknown>>) => listOf(items).map((item) => String(item['id']))
    const seen: string[] = []
    let query = '?limit=2'
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await bodyOf(many.data('GET', `${CONNECTIONS}${query}`))
      expect(page['total']).toBe(5)
      seen.push(...idsOf(page))
      query = `?limit=2&cursor=${String(page['next_cursor'])}`
      if (pages === 2) expect(page['next_cursor']).toBeNull()
    }
    expect(seen).toEqual(ids.toSorted())
    const skipped = await bodyOf(many.data('GET', `${CONNECTIONS}?offset=3`))
    expect(idsOf(skipped)).toEqual(ids.toSorted().slice(3))
    const beyond = await bodyOf(many.data('GET', `${CONNECTIONS}?offset=9`))
    expect(beyond).toEqual({ total: 5, items: [], next_cursor: null })
  })

  test('an item of the list equals the single read', async () => {
    const { items } = await bodyOf(service.data('GET', CONNECTIONS))
    expect(listOf(items).find((item) => item['id'] === id)).toEqual(await bodyOf(service.data('GET', path())))
  })

  test.each([
    'limit=0',
    'limit=x',
    'offset=10001',
    'cursor=abc',
    `cursor=listed.${UNKNOWN_ID}`,
    `cursor=connections.x`,
  ])('%s is refused', async (query) => {
    const answer = await service.data('GET', `${CONNECTIONS}?${query}`)
    expect([answer.status, keyOf(answer)]).toEqual([400, 'request.invalid'])
  })

  test('has its own rate limit', async () => {
    const strict = await world.another('eu', { RATE_CONNECTIONS: '2' })
    const url = strict.url ?? ''
    const statuses: number[] = []
    const fresh = await world.service([], { company })
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await fresh.data('GET', CONNECTIONS, { url })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    expect((await fresh.data('GET', '/api/company-data/whoami', { url })).status).toBe(200)
  })
})

describe('DELETE /api/company-data/connections/{connectionId}', () => {
  test('ends the connection on both sides with an event; a repetition answers 404 [CONN-13] [CONN-15]', async () => {
    const { person: customer, connectionId: ending } = await world.customer(service, [
      { slug: 'home_address', text: street },
    ])
    await service.drain()
    const ended = await service.data('DELETE', path(ending))
    expect([ended.status, ended.text]).toEqual([204, ''])
    expect(await service.drain()).toEqual([
      {
        id: expect.any(String),
        event: 'connection_deleted',
        person_user_id: customer.userId,
        share_code: customer.shareCode,
        customer_type: 'person',
        at: expect.stringMatching(TIME),
        connection_id: ending,
        service_id: service.serviceId,
      },
    ])
    const shown = async () => (await customer.calls('GET', `/api/company-connections/${ending}`)).status
    await expect.poll(shown, { timeout: scaled(20_000) }).toBe(404)
    const again = await service.data('DELETE', path(ending))
    expect([again.status, keyOf(again)]).toEqual([404, 'company_data.connection_not_found'])
    expect((await service.data('GET', path(ending))).status).toBe(404)
  })

  test('notifies a customer company in its feed, with the codes of the service [CONN-15]', async () => {
    const open = await world.service([], { company })
    const customer = await world.company({ region: 'us' })
    const ending = await customer.connected(open)
    const changes = async () => listOf((await bodyOf(customer.calls('GET', '/api/customer/changes')))['changes'])
    const [company_share_code, service_share_code] = open.code.split('/')
    const codes = { connection_id: ending, company_share_code, service_share_code }
    const common = { id: expect.any(String), at: expect.stringMatching(TIME), ...codes }
    await expect.poll(changes, { timeout: scaled(20_000) }).toEqual([{ ...common, event: 'connection_created' }])
    expect((await open.data('DELETE', path(ending))).status).toBe(204)
    await expect.poll(changes, { timeout: scaled(20_000) }).toEqual([{ ...common, event: 'connection_deleted' }])
    expect(await customer.connections()).toEqual([])
  })

  test('is refused while a contract is open', async () => {
    const { connectionId: contracted } = await world.customer(service, [{ slug: 'home_address', text: street }])
    const name = { companyId: company.companyId, serviceId: service.serviceId }
    const change = (by: 1 | -1) =>
      world.eu.platform.database.transaction((tx) => changeOpenContracts(tx, name, contracted as never, by))
    expect(await change(1)).toBe(true)
    const answer = await service.data('DELETE', path(contracted))
    expect([answer.status, keyOf(answer)]).toEqual([409, 'company_connections.active_contract'])
    await change(-1)
    expect((await service.data('DELETE', path(contracted))).status).toBe(204)
  })

  test('another service cannot end the connection', async () => {
    expect(keyOf(await sibling.data('DELETE', path()))).toBe('company_data.connection_not_found')
    expect((await service.data('GET', path())).status).toBe(200)
  })
})
