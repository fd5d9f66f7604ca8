import { keyOf, listOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const CONNECTIONS = '/api/company-connections'
const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000'
const ENOUGH = [
  { slug: 'name', kind: 'linked', source: 'first_name', text: 'Ada' },
  { slug: 'mail', kind: 'linked', source: 'email', text: 'ada@people.example' },
  { slug: 'reason', kind: 'one_time', text: 'because' },
] as const

const world = await openWorld()
const service = await world.service([
  { slug: 'name', mandatory_provide: true },
  { slug: 'mail', type: 'email', mandatory_connected: true },
  { slug: 'reason', one_time: true },
  { slug: 'vat', audience: 'company' },
])
const { company } = service
/** `other` has the same values and does not connect. */
const [person, other] = [await world.person(), await world.person()]
for (const each of [person, other]) {
  expect(await each.put('first_name', 'Ada')).toMatchObject({ status: 200 })
  expect(await each.put('email', 'ada@people.example')).toMatchObject({ status: 200 })
}
const id = await person.connected(service, ENOUGH)

describe('the look-up of a service', () => {
  test('shows the service and the rows for this type of customer, for any spelling of the code', async () => {
    const { status, body } = await person.calls('GET', `${CONNECTIONS}/lookup/${service.code.toLowerCase()}`)
    expect([status, body]).toMatchObject([
      200,
      {
        company: { user_id: company.companyId, display_name: company.companyName, share_code: company.shareCode },
        service: { service_id: service.serviceId, audience: 'both' },
        public_key: service.publicKey,
      },
    ])
    expect(listOf(body['request_fields']).map(({ slug }) => slug)).toEqual(['name', 'mail', 'reason'])
    expect(listOf(body['request_fields'])[1]).toMatchObject({
      type: 'email',
      field_type: 'email',
      resolved_type: { input: 'line' },
    })
  })

  test('requires a service code besides the company code [SERVICE-11]', async () => {
    for (const path of [company.shareCode, `${company.shareCode}/%20`]) {
      const looked = await person.calls('GET', `${CONNECTIONS}/lookup/${path}`)
      expect([looked.status, keyOf(looked)]).toEqual([400, 'profile.company_code_requires_service'])
    }
    const connect = { body: { code: company.shareCode, decisions: [] } }
    const connected = await person.calls('POST', CONNECTIONS, connect)
    expect([connected.status, keyOf(connected)]).toEqual([400, 'profile.company_code_requires_service'])
  })

  test.each([
    ['an unknown service', `${company.shareCode}/NOPE`],
    ['an unknown company', 'ZZZZZZ/T1'],
    ['a person', `${other.shareCode}/T1`],
  ])('answers 404 for the code of %s', async (_, code) => {
    const found = await person.calls('GET', `${CONNECTIONS}/lookup/${code}`)
    expect([found.status, keyOf(found)]).toEqual([404, 'services.not_found'])
    const connected = await person.calls('POST', CONNECTIONS, { body: { code, decisions: [] } })
    expect([connected.status, keyOf(connected)]).toEqual([404, 'services.not_found'])
  })

  test('requires a login', async () => {
    const answer = await world.anonymous('GET', `${CONNECTIONS}/lookup/${service.code}`, { url: person.apiUrl })
    expect([answer.status, keyOf(answer)]).toEqual([401, 'auth.token_missing'])
  })
})

describe('a connect is refused', () => {
  const [name, mail, reason] = ENOUGH

  test('with an unsealed value [CONN-20]', async () => {
    const source_field_id = other.field('first_name')
    const clear = { request_field_id: service.row('name'), kind: 'linked', source_field_id, value: 'Ada' } as const
    const answer = await other.connect(service, [clear, mail, reason])
    expect([answer.status, keyOf(answer)]).toEqual([400, 'contact_data.encryption_required'])
  })

  test('without a mandatory row', async () => {
    const answer = await other.connect(service, [reason])
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error_key: 'company_connections.mandatory_missing', slugs: ['name', 'mail'] },
    ])
  })

  test('with invalid decisions, each reported', async () => {
    const [sealed] = await other.decide(service, [mail])
    const { status, body } = await other.connect(service, [
      { ...name, kind: 'one_time' },
      { ...(sealed ?? expect.fail('no decision')), source_field_id: UNKNOWN_ID },
      { slug: 'vat', text: 'for companies only' },
    ])
    expect([status, body['error_key']]).toEqual([400, 'request.invalid'])
    expect(listOf(body['details']).map(({ path }) => path)).toEqual([
      '/body/decisions/0/kind',
      '/body/decisions/1/source_field_id',
      '/body/decisions/2/request_field_id',
    ])
  })

  test('with a value of more than 65,536 characters, and says the limit and the way out', async () => {
    const long = await other.connect(service, [{ slug: 'name', text: 'x'.repeat(65_536) }])
    expect([long.status, keyOf(long)]).toEqual([400, 'request.invalid'])
    expect(listOf(long.body['details'])[0]?.['message']).toMatch(/more than 65536: shorten it, or ask for it in a file/)
  })

  test('for a person at a service for companies [SERVICE-10]', async () => {
    const business = await world.service([], { company, audience: 'company' })
    expect((await other.calls('GET', `${CONNECTIONS}/lookup/${business.code}`)).status).toBe(200)
    const answer = await other.connect(business)
    expect([answer.status, keyOf(answer)]).toEqual([403, 'services.audience_b2b_only'])
  })

  test('at a service of the same company', async () => {
    const answer = await company.connect(service)
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error_key: 'request.invalid', details: [{ path: '/body/code' }] },
    ])
  })

  test('without a login, and with an invalid body', async () => {
    const answer = await world.anonymous('POST', CONNECTIONS, { url: other.apiUrl, body: {} })
    expect(answer.status).toBe(401)
    const empty = await other.calls('POST', CONNECTIONS, { body: { code: service.code } })
    expect([empty.status, keyOf(empty)]).toEqual([400, 'request.invalid'])
  })
})

describe('a connection', () => {
  test('shares sealed values across regions and can be read on both sides [CRYPTO-11]', async () => {
    expect(await service.value(id, 'name')).toBe('Ada')
    expect(await service.value(id, 'reason')).toBe('because')
    expect(await person.connection(id)).toMatchObject({
      id,
      company_connection_id: id,
      customer_type: 'person',
      company: { user_id: company.companyId },
      service_link_id: id,
      service_id: service.serviceId,
      pending_consent: [],
      declined: [],
      mappings: expect.arrayContaining([
        expect.objectContaining({ slug: 'name', kind: 'linked', live: true }),
        expect.objectContaining({ slug: 'reason', kind: 'one_time', live: false, source_field_id: null }),
      ]),
    })
    const { body } = await person.calls('GET', CONNECTIONS)
    expect(body).toMatchObject({ connections: [{ id }], total: 1, next_cursor: null })
  })

  test('exists once: a second connect is refused', async () => {
    const again = await person.connect(service, ENOUGH)
    expect([again.status, keyOf(again)]).toEqual([409, 'company_data.already_connected'])
  })

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['PUT', '/services/:id/mappings'],
    ['GET', `/photos/${UNKNOWN_ID}`],
  ] as const)('of another account answers %s %s with the same 404 as a missing one', async (method, below) => {
    const sent = method === 'PUT' ? { body: { decisions: [] } } : {}
    const ask = (of: string) => other.calls(method, `${CONNECTIONS}/${of}${below.replace(':id', of)}`, sent)
    const [foreign, missing] = [await ask(id), await ask(UNKNOWN_ID)]
    expect([foreign.status, keyOf(foreign)]).toEqual([404, 'company_data.connection_not_found'])
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text])
  })

  test.each(['provide', 'decline'])(
    'of another account answers %s of a consent with the same 404 as a missing one',
    async (decision) => {
      const ask = (of: string) =>
        other.calls('POST', `${CONNECTIONS}/consents/${of}/${decision}`, { body: { decisions: [] } })
      const [foreign, missing] = [await ask(id), await ask(UNKNOWN_ID)]
      expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    },
  )

  test('is in exactly one page of the list', async () => {
    const next = await person.connected(await world.service([], { company }))
    const first = await person.calls('GET', `${CONNECTIONS}?limit=1`)
    expect(first.body).toMatchObject({ connections: [{ id }], total: 2, next_cursor: `connections~${id}` })
    const rest = await person.calls('GET', `${CONNECTIONS}?limit=1&cursor=${String(first.body['next_cursor'])}`)
    expect(rest.body).toMatchObject({ connections: [{ id: next, company: {} }], total: 2, next_cursor: null })
    const bad = await person.calls('GET', `${CONNECTIONS}?cursor=nonsense`)
    expect([bad.status, keyOf(bad)]).toEqual([400, 'request.invalid'])
  })
})
