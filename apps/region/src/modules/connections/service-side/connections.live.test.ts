import {
  type Calls,
  callsWith,
  connectTo,
  demand,
  drainFeed,
  fieldIdOf,
  keyOf,
  newShopper,
  openSealed,
  openShop,
  openShopService,
  type Owner,
  publishRows,
  rowIdOf,
  setField,
  type Shop,
  startTwoRegions,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeOpenContracts } from '../index.ts'

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

const rows = [
  { slug: 'home_address', type: 'address', mandatory_provide: true },
  { slug: 'birthday', type: 'date', one_time: true },
  { slug: 'vat', type: 'text', audience: 'company' },
]
const street = '{"street":"Canal","city":"Delft"}'

let two: TwoRegions
let shop: Shop
let person: Owner
let id: string

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000', RATE_CONNECTIONS: '6000' })
  shop = await openShop(two, rows)
  person = await newShopper(two)
  await setField(person, 'address', { text: street })
  id = await connectTo(shop, person, [
    { slug: 'home_address', kind: 'linked', text: street, source: 'address' },
    { slug: 'birthday', kind: 'one_time', text: '1990-01-02' },
  ])
})
afterAll(() => two.close())

function path(connectionId = id): string {
  return `/api/company-data/connections/${connectionId}`
}

describe('GET /api/company-data/connections/{connectionId}', () => {
  test('shows the customer and the shared values, sealed to the service [CONN-01] [CONN-02] [CONN-03] [CONN-11] [REQF-02]', async () => {
    const record = await demand(shop.data('GET', path()))
    const values = record['values'] as Record<string, Record<string, unknown>>
    expect(record).toEqual({
      id,
      connection_id: id,
      person_id: person.user.userId,
      user_id: person.user.userId,
      display_name: person.user.displayName,
      connected_at: expect.stringMatching(TIME),
      customer_type: 'person',
      share_code: person.user.shareCode,
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
          label: 'Your home_address',
          type: 'address',
          service_field_id: await rowIdOf(shop, 'home_address'),
          live: true,
          provided_at: expect.stringMatching(TIME),
        },
        {
          slug: 'birthday',
          label: 'Your birthday',
          type: 'date',
          service_field_id: await rowIdOf(shop, 'birthday'),
          live: false,
          provided_at: expect.stringMatching(TIME),
        },
      ],
    })
    expect(await openSealed(shop, values['home_address']?.['value'])).toBe(street)
    expect(await openSealed(shop, values['birthday']?.['value'])).toBe('1990-01-02')
  })

  test('each value has all verification members, null when it is not verified [CONN-05]', async () => {
    const { values } = await demand(shop.data('GET', path()))
    for (const value of Object.values(values as Record<string, object>)) {
      expect(Object.keys(value).toSorted()).toEqual(
        ['live', 'updated_at', 'value', ...Object.keys(NOT_ATTESTED)].toSorted(),
      )
    }
  })

  test('a one-time row makes a snapshot, every other row a live value [CONN-06] [REQF-09]', async () => {
    const { values, fields } = await demand(shop.data('GET', path()))
    expect(values).toMatchObject({ home_address: { live: true }, birthday: { live: false } })
    expect(fields).toMatchObject([
      { slug: 'home_address', live: true },
      { slug: 'birthday', live: false },
    ])
  })

  test('the id of the source field is not in the answer [FTYPE-18]', async () => {
    const { text } = await shop.data('GET', path())
    expect(text).not.toContain(await fieldIdOf(person, 'address'))
  })

  test('values_private says by slug whether the source field is private [CONN-04]', async () => {
    const other = await newShopper(two)
    await setField(other, 'address', { text: street, isPrivate: false })
    const answers = [{ slug: 'home_address', kind: 'linked', text: street, source: 'address' }] as const
    const { values_private } = await demand(shop.data('GET', path(await connectTo(shop, other, answers))))
    expect(values_private).toEqual({ home_address: false })
  })

  test("another service's connection answers the same 404 as an unknown one [CONN-12]", async () => {
    const sibling = await openShopService(two, shop.company, shop.portal)
    const missing = await sibling.data('GET', path(UNKNOWN_ID))
    expect([missing.status, keyOf(missing)]).toEqual([404, 'company_data.connection_not_found'])
    const theirs = await sibling.data('GET', path())
    expect([theirs.status, theirs.text]).toEqual([missing.status, missing.text])
    expect((await sibling.data('GET', path('no-id'))).status).toBe(404)
  })

  test('without a token it answers 401', async () => {
    const answer = await callsWith(two.eu.url ?? '', null)('GET', path())
    expect([answer.status, keyOf(answer)]).toEqual([401, 'auth.token_missing'])
  })

  test('only the token determines the service: ids sent by the caller are ignored [AUTH-02]', async () => {
    const sibling = await openShopService(two, shop.company, shop.portal)
    const asked = await sibling.data('GET', `/api/company-data/connections?service_id=${shop.service.serviceId}`)
    expect(asked.body).toEqual({ total: 0, items: [], next_cursor: null })
    expect(await demand(sibling.data('GET', '/api/company-data/whoami'))).toEqual({
      company_user_id: shop.company.userId,
      service_id: sibling.service.serviceId,
    })
  })

  test('whoami names the company and the service [CONN-16]', async () => {
    expect(await demand(shop.data('GET', '/api/company-data/whoami'))).toEqual({
      company_user_id: shop.company.userId,
      service_id: shop.service.serviceId,
    })
  })
})

describe('changes of request rows', () => {
  test('a new row is pending and a removed row is hidden at once, in every process', async () => {
    const fresh = await openShop(two, [{ slug: 'phone', type: 'phone' }])
    const connected = await connectTo(fresh, await newShopper(two), [{ slug: 'phone', text: '+31201234567' }])
    const second = await two.another('eu')
    const both: readonly Calls[] = [fresh.data, (method, at) => fresh.data(method, at, { url: second.url ?? '' })]
    for (const data of both) expect(await demand(data('GET', path(connected)))).toMatchObject({ pending_consent: [] })
    await publishRows(fresh, [
      { slug: 'email', type: 'email' },
      { slug: 'vat', type: 'text', audience: 'company' },
    ])
    for (const data of both) {
      const record = await demand(data('GET', path(connected)))
      expect(record).toMatchObject({ values: {}, values_private: {}, fields: [], pending_consent: ['email'] })
    }
    await second.close()
  })
})

describe('GET /api/company-data/connections', () => {
  test('the cursor pages through all connections, each once, with a constant total [CONN-10]', async () => {
    const many = await openShop(two, [{ slug: 'note', type: 'text' }])
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      ids.push(
        await connectTo(many, await newShopper(two), count % 2 === 0 ? [{ slug: 'note', text: `n${count}` }] : []),
      )
    }
    const seen: string[] = []
    let query = '?limit=2'
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await demand(many.data('GET', `/api/company-data/connections${query}`))
      expect(page['total']).toBe(5)
      seen.push(...(page['items'] as { id: string }[]).map((item) => item.id))
      query = `?limit=2&cursor=${String(page['next_cursor'])}`
      if (pages === 2) expect(page['next_cursor']).toBeNull()
    }
    expect(seen).toEqual(ids.toSorted())
    const skipped = await demand(many.data('GET', '/api/company-data/connections?offset=3'))
    expect((skipped['items'] as { id: string }[]).map((item) => item.id)).toEqual(ids.toSorted().slice(3))
    const beyond = await demand(many.data('GET', '/api/company-data/connections?offset=9'))
    expect(beyond).toEqual({ total: 5, items: [], next_cursor: null })
  })

  test('an item of the list equals the single read', async () => {
    const { items } = await demand(shop.data('GET', '/api/company-data/connections'))
    expect((items as { id: string }[]).find((item) => item.id === id)).toEqual(await demand(shop.data('GET', path())))
  })

  test.each([
    'limit=0',
    'limit=x',
    'offset=10001',
    'cursor=abc',
    `cursor=listed.${UNKNOWN_ID}`,
    `cursor=connections.x`,
  ])('%s is refused', async (query) => {
    const answer = await shop.data('GET', `/api/company-data/connections?${query}`)
    expect([answer.status, keyOf(answer)]).toEqual([400, 'request.invalid'])
  })

  test('has its own rate limit', async () => {
    const strict = await two.another('eu', { RATE_CONNECTIONS: '2' })
    const url = strict.url ?? ''
    const statuses: number[] = []
    const fresh = await openShop(two)
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await fresh.data('GET', '/api/company-data/connections', { url })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    expect((await fresh.data('GET', '/api/company-data/whoami', { url })).status).toBe(200)
    await strict.close()
  })
})

describe('DELETE /api/company-data/connections/{connectionId}', () => {
  test('ends the connection on both sides with an event; a repetition answers 404 [CONN-13] [CONN-15]', async () => {
    const customer = await newShopper(two)
    const ending = await connectTo(shop, customer, [{ slug: 'home_address', text: street }])
    await drainFeed(shop)
    const ended = await shop.data('DELETE', path(ending))
    expect([ended.status, ended.text]).toEqual([204, ''])
    expect(await drainFeed(shop)).toEqual([
      {
        id: expect.any(String),
        event: 'connection_deleted',
        person_user_id: customer.user.userId,
        share_code: customer.user.shareCode,
        customer_type: 'person',
        at: expect.stringMatching(TIME),
        connection_id: ending,
        service_id: shop.service.serviceId,
      },
    ])
    await waitUntil('the customer has heard', 20_000, async () => {
      const answer = await customer.call('GET', `/api/company-connections/${ending}`)
      return answer.status === 404
    })
    const again = await shop.data('DELETE', path(ending))
    expect([again.status, keyOf(again)]).toEqual([404, 'company_data.connection_not_found'])
    expect((await shop.data('GET', path(ending))).status).toBe(404)
  })

  test('is refused while a contract is open', async () => {
    const contracted = await connectTo(shop, await newShopper(two), [{ slug: 'home_address', text: street }])
    const name = { companyId: shop.company.userId, serviceId: shop.service.serviceId }
    const change = (by: 1 | -1) =>
      two.eu.platform.database.transaction((tx) => changeOpenContracts(tx, name, contracted as never, by))
    expect(await change(1)).toBe(true)
    const answer = await shop.data('DELETE', path(contracted))
    expect([answer.status, keyOf(answer)]).toEqual([409, 'company_connections.active_contract'])
    await change(-1)
    expect((await shop.data('DELETE', path(contracted))).status).toBe(204)
  })

  test('another service cannot end the connection', async () => {
    const sibling = await openShopService(two, shop.company, shop.portal)
    expect(keyOf(await sibling.data('DELETE', path()))).toBe('company_data.connection_not_found')
    expect((await shop.data('GET', path())).status).toBe(200)
  })
})
