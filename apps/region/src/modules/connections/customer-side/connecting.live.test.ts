import {
  demand,
  type Desk,
  keyOf,
  listOf,
  openCustomer,
  northwind,
  openDesk,
  portalOf,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let two: TwoRegions
let desk: Desk
let person: TestCustomer
let other: TestCustomer

beforeAll(async () => {
  two = await startWithoutLimits()
  desk = await openDesk(two, [
    { slug: 'name', mandatory_provide: true },
    { slug: 'mail', type: 'email', mandatory_connected: true },
    { slug: 'reason', one_time: true },
    { slug: 'vat', audience: 'company' },
  ])
  person = await openCustomer(two)
  other = await openCustomer(two)
  await demand(person.put('first_name', 'Ada'), 200)
  await demand(person.put('email', 'ada@people.example'), 200)
})
afterAll(() => two.close())

async function enough() {
  return [
    await person.linked(desk, 'name', 'first_name', 'Ada'),
    await person.linked(desk, 'mail', 'email', 'ada@people.example'),
    await person.once(desk, 'reason', 'because'),
  ]
}

describe('the look-up of a service', () => {
  test('shows the service and the rows for this type of customer, for any spelling of the code', async () => {
    const { status, body } = await person.calls('GET', `/api/company-connections/lookup/${desk.code.toLowerCase()}`)
    expect([status, body]).toMatchObject([
      200,
      {
        company: { user_id: northwind.companyId, display_name: northwind.companyName, share_code: northwind.shareCode },
        service: { service_id: desk.serviceId, audience: 'both' },
        public_key: expect.any(String),
      },
    ])
    expect(listOf(body['request_fields']).map(({ slug }) => slug)).toEqual(['name', 'mail', 'reason'])
    expect(listOf(body['request_fields'])[1]).toMatchObject({ type: 'email', field_type: { input: 'line' } })
  })

  test('requires a service code besides the company code [SERVICE-11]', async () => {
    const looked = await person.calls('GET', `/api/company-connections/lookup/${northwind.shareCode}`)
    expect([looked.status, keyOf(looked)]).toEqual([400, 'profile.company_code_requires_service'])
    const connect = { body: { code: northwind.shareCode, decisions: [] } }
    const connected = await person.calls('POST', '/api/company-connections', connect)
    expect([connected.status, keyOf(connected)]).toEqual([400, 'profile.company_code_requires_service'])
  })

  test.each([`${northwind.shareCode}/NOPE`, 'ZZZZZZ/T1', 'MARAXX/T1'])('answers 404 for %s', async (code) => {
    const found = await person.calls('GET', `/api/company-connections/lookup/${code}`)
    expect([found.status, keyOf(found)]).toEqual([404, 'services.not_found'])
    const connected = await person.calls('POST', '/api/company-connections', { body: { code, decisions: [] } })
    expect([connected.status, keyOf(connected)]).toEqual([404, 'services.not_found'])
  })

  test('requires a login', async () => {
    const answer = await fetch(`${person.owner.apiUrl}/api/company-connections/lookup/${desk.code}`)
    expect([answer.status, await answer.json()]).toMatchObject([401, { error_key: 'auth.token_missing' }])
  })
})

describe('a connect is refused', () => {
  test('with an unsealed value [CONN-20]', async () => {
    const [name, ...rest] = await enough()
    const answer = await person.connect(desk, [{ ...name, value: 'Ada' }, ...rest])
    expect([answer.status, keyOf(answer)]).toEqual([400, 'contact_data.encryption_required'])
  })

  test('without a mandatory row', async () => {
    const answer = await person.connect(desk, [await person.once(desk, 'reason', 'because')])
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error_key: 'company_connections.mandatory_missing', slugs: ['name', 'mail'] },
    ])
  })

  test('with invalid decisions, each reported', async () => {
    const [name, mail] = await enough()
    const wrong = [
      { ...name, kind: 'one_time' },
      { ...mail, source_field_id: '019a0000-0000-7000-8000-000000000000' },
      await person.typed(desk, 'vat', 'for companies only'),
    ]
    const { status, body } = await person.connect(desk, wrong)
    expect([status, body['error_key']]).toEqual([400, 'request.invalid'])
    expect(listOf(body['details']).map(({ path }) => path)).toEqual([
      '/body/decisions/0/kind',
      '/body/decisions/1/source_field_id',
      '/body/decisions/2/request_field_id',
    ])
  })

  test('if it is larger than an ask', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ slug: `field_${index}` }))
    const wide = await openDesk(two, many)
    const value = 'x'.repeat(9000)
    const decisions = await Promise.all(many.map(({ slug }) => person.typed(wide, slug, value)))
    const answer = await person.connect(wide, decisions)
    expect([answer.status, keyOf(answer)]).toEqual([413, 'request.too_large'])
    const [first] = decisions
    const long = await person.connect(wide, [{ ...first, value: await wide.seal('x'.repeat(16_384)) }])
    expect([long.status, keyOf(long)]).toEqual([400, 'request.invalid'])
  })

  test('for a person at a service for companies [SERVICE-10]', async () => {
    const business = await openDesk(two, [], { audience: 'company' })
    expect((await person.calls('GET', `/api/company-connections/lookup/${business.code}`)).status).toBe(200)
    const answer = await person.connect(business, [])
    expect([answer.status, keyOf(answer)]).toEqual([403, 'services.audience_b2b_only'])
  })

  test('at a service of the same company', async () => {
    const portal = await portalOf(two, northwind)
    const body = { code: desk.code, decisions: [] }
    const answer = await portal('POST', '/api/company-connections', { body })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error_key: 'request.invalid', details: [{ path: '/body/code' }] },
    ])
  })

  test('without a login, and with an invalid body', async () => {
    const answer = await fetch(`${person.owner.apiUrl}/api/company-connections`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(401)
    const empty = await person.calls('POST', '/api/company-connections', { body: { code: desk.code } })
    expect([empty.status, keyOf(empty)]).toEqual([400, 'request.invalid'])
  })
})

describe('a connection', () => {
  let id: string

  test('shares sealed values across regions and can be read on both sides [CRYPTO-11]', async () => {
    id = await person.connected(desk, await enough())
    expect(await desk.value(id, 'name')).toBe('Ada')
    expect(await desk.value(id, 'reason')).toBe('because')
    expect(await person.read(id)).toMatchObject({
      id,
      company_connection_id: id,
      customer_type: 'person',
      company: { user_id: northwind.companyId },
      service_link_id: id,
      service_id: desk.serviceId,
      pending_consent: [],
      declined: [],
      mappings: expect.arrayContaining([
        expect.objectContaining({ slug: 'name', kind: 'linked', live: true }),
        expect.objectContaining({ slug: 'reason', kind: 'one_time', live: false, source_field_id: null }),
      ]),
    })
    const { body } = await person.calls('GET', '/api/company-connections')
    expect(body).toMatchObject({ connections: [{ id }], total: 1, next_cursor: null })
  })

  test('exists once: a second connect is refused', async () => {
    const again = await person.connect(desk, await enough())
    expect([again.status, keyOf(again)]).toEqual([409, 'company_data.already_connected'])
  })

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['PUT', '/services/:id/mappings'],
    ['GET', '/photos/019a0000-0000-7000-8000-000000000000'],
  ] as const)('of another account answers %s %s with the same 404 as a missing one', async (method, below) => {
    const sent = method === 'PUT' ? { body: { decisions: [] } } : {}
    const ask = (of: string) => other.calls(method, `/api/company-connections/${of}${below.replace(':id', of)}`, sent)
    const [foreign, missing] = [await ask(id), await ask('019a0000-0000-7000-8000-000000000000')]
    expect([foreign.status, keyOf(foreign)]).toEqual([404, 'company_data.connection_not_found'])
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text])
  })

  test.each(['provide', 'decline'])(
    'of another account answers %s of a consent with the same 404 as a missing one',
    async (decision) => {
      const ask = (of: string) =>
        other.calls('POST', `/api/company-connections/consents/${of}/${decision}`, { body: { decisions: [] } })
      const [foreign, missing] = [await ask(id), await ask('019a0000-0000-7000-8000-000000000000')]
      expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    },
  )

  test('is in exactly one page of the list', async () => {
    const more = await openDesk(two, [])
    await person.connected(more, [])
    const first = await person.calls('GET', '/api/company-connections?limit=1')
    expect(first.body).toMatchObject({ connections: [{ id }], total: 2, next_cursor: `connections~${id}` })
    const next = await person.calls(
      'GET',
      `/api/company-connections?limit=1&cursor=${String(first.body['next_cursor'])}`,
    )
    expect(next.body).toMatchObject({ connections: [{ company: {} }], total: 2, next_cursor: null })
    const bad = await person.calls('GET', '/api/company-connections?cursor=nonsense')
    expect([bad.status, keyOf(bad)]).toEqual([400, 'request.invalid'])
  })
})
