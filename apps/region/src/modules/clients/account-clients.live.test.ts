import { type Answer, askToken, claimsOf, clientCalls, keyOf, listOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const CLIENTS = '/api/account/clients'
const wanted = { name: 'Importer', capabilities: ['oauth_apps', 'service_management'] }

const world = await openWorld()
const company = await world.company()
const { portal } = company

const create = (body: unknown, key?: string): Promise<Answer> =>
  portal('POST', CLIENTS, key === undefined ? { body } : { body, key })

describe('POST /api/account/clients', () => {
  test('answers the client with its secret, which is in no other answer, row or log line [CLIENT-13] [CLIENT-14] [CLIENT-05]', async () => {
    const made = await create({ ...wanted, redirect_uri: 'https://tool.example/cb', purpose: 'import' })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      client_id: expect.stringMatching(/^acct_[A-Za-z0-9]{24}$/),
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      name: 'Importer',
      purpose: 'import',
      capabilities: ['service_management', 'oauth_apps'],
      redirect_uri: 'https://tool.example/cb',
    })
    expect((await portal('GET', CLIENTS)).text).not.toContain(made.body['client_secret'])
    expect(await atRest(String(made.body['client_secret']))).toBe(false)
    expect(world.telemetry.text()).not.toContain(made.body['client_secret'])
  })

  test('a company has several clients; each acts as the company [CLIENT-01] [CLIENT-12] [AUTH-05]', async () => {
    const clients = [await create(wanted), await create(wanted)]
    expect(new Set(clients.map(({ body }) => body['client_id'])).size).toBe(2)
    const service = await world.service([], { company })
    expect(service.client.clientId).toMatch(/^svc_[A-Za-z0-9]{24}$/)
    for (const { body } of clients) expect(body['client_id']).toMatch(/^acct_[A-Za-z0-9]{24}$/)
    for (const { body } of clients) {
      const response = await askToken(world, body['client_id'], body['client_secret'])
      const claims = claimsOf(String(response.body['access_token']))
      expect(claims).toMatchObject({ sub: company.companyId, client_id: body['client_id'] })
      const asClient = await clientCalls(world, body['client_id'], body['client_secret'])
      expect((await asClient('GET', '/api/account')).body['id']).toBe(company.companyId)
    }
  })

  test.each([
    ['no name', { capabilities: [] }, 'account_clients.name_invalid'],
    ['a blank name', { ...wanted, name: ' ' }, 'account_clients.name_invalid'],
    ['a name that is no text', { ...wanted, name: 5 }, 'account_clients.name_invalid'],
  ])('%s answers 400 [CLIENT-16]', async (_what, body, key) => {
    const response = await create(body)
    expect([response.status, keyOf(response)]).toEqual([400, key])
  })

  test('capabilities are a list of known groups; none is the baseline alone [CLIENT-17]', async () => {
    for (const capabilities of [undefined, 'oauth_apps', ['root'], [7]]) {
      const response = await create({ name: 'x', capabilities })
      expect([response.status, keyOf(response)]).toEqual([400, 'account_clients.capabilities_invalid'])
    }
    const bare = await create({ name: 'Bare', capabilities: [] })
    const asClient = await clientCalls(world, bare.body['client_id'], bare.body['client_secret'])
    expect((await asClient('GET', '/api/account')).status).toBe(200)
    expect(keyOf(await asClient('GET', '/api/account/oauth-apps'))).toBe('auth.client_endpoint_forbidden')
  })

  test('a malformed redirect URI answers 400; null is accepted [CLIENT-18]', async () => {
    for (const redirect_uri of ['/cb', 'nowhere', '', 7, 'https://x.example/#f']) {
      const response = await create({ ...wanted, redirect_uri })
      expect([response.status, keyOf(response)]).toEqual([400, 'account_clients.redirect_uri_invalid'])
    }
    expect((await create({ ...wanted, redirect_uri: null })).body['redirect_uri']).toBeNull()
  })

  test('a purpose of another shape, or blank, answers 400 [CLIENT-19] [CLIENT-20]', async () => {
    for (const purpose of ['', ' ', 'Upper', 'a b', 'x'.repeat(65), 3]) {
      const response = await create({ ...wanted, purpose })
      expect([response.status, keyOf(response)]).toEqual([400, 'account_clients.purpose_invalid'])
    }
    expect((await create({ ...wanted, purpose: 'x'.repeat(64) })).status).toBe(201)
  })

  test('without a purpose it is null, for any number of clients [CLIENT-21]', async () => {
    for (const body of [wanted, { ...wanted, purpose: null }, wanted]) {
      expect((await create(body)).body).toMatchObject({ purpose: null })
    }
  })

  test('reserved purposes are refused to owners [CLIENT-22]', async () => {
    for (const purpose of ['crm:sync', 'shopify:shop.example']) {
      const response = await create({ ...wanted, purpose })
      expect([response.status, keyOf(response)]).toEqual([400, 'account_clients.purpose_reserved'])
    }
  })

  test('a purpose is taken once per company, also by concurrent calls [CLIENT-23]', async () => {
    const both = await Promise.all([create({ ...wanted, purpose: 'race' }), create({ ...wanted, purpose: 'race' })])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409'])
    const late = await create({ ...wanted, purpose: 'race' })
    expect([late.status, keyOf(late)]).toEqual([409, 'account_clients.purpose_taken'])
    const elsewhere = await world.company({ region: 'us' })
    expect((await elsewhere.portal('POST', CLIENTS, { body: { ...wanted, purpose: 'race' } })).status).toBe(201)
  })

  test('a repeated call with the same key is one client, and its secret is not answered again', async () => {
    const body = { ...wanted, name: 'Once' }
    const first = await create(body, 'one-key')
    const again = await create(body, 'one-key')
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual({ ...first.body, client_secret: null })
    expect((await create({ ...body, name: 'Other' }, 'one-key')).status).toBe(422)
    expect((await names()).filter((name) => name === 'Once')).toHaveLength(1)
  })

  test('refuses persons, clients and calls without a token: only a portal login may [AUTH-10]', async () => {
    const made = await create({ ...wanted, capabilities: ['service_management', 'oauth_apps', 'delegate_management'] })
    const asClient = await clientCalls(world, made.body['client_id'], made.body['client_secret'])
    const { calls: asPerson } = await world.person()
    const id = String(made.body['client_id'])
    const attempts: readonly (readonly ['POST' | 'GET' | 'PUT' | 'DELETE', string])[] = [
      ['POST', CLIENTS],
      ['GET', CLIENTS],
      ['PUT', `${CLIENTS}/${id}/capabilities`],
      ['POST', `${CLIENTS}/${id}/regenerate-secret`],
      ['DELETE', `${CLIENTS}/${id}`],
    ]
    for (const [method, path] of attempts) {
      for (const call of [asClient, asPerson]) {
        const response = await call(method, path, method === 'GET' ? {} : { body: wanted })
        expect([response.status, keyOf(response)]).toEqual([403, 'auth.client_endpoint_forbidden'])
      }
      const anonymous = await world.anonymous(method, path)
      expect([anonymous.status, keyOf(anonymous)]).toEqual([401, 'auth.token_missing'])
    }
  })
})

describe('GET /api/account/clients', () => {
  test('lists the clients of the company, oldest first, page by page [CLIENT-15]', async () => {
    const { portal: call } = await world.company({ region: 'us', level: 'free' })
    expect((await call('GET', CLIENTS)).body).toEqual({ total: 0, items: [], next_cursor: null })
    const made: unknown[] = []
    for (const name of ['a', 'b', 'c'])
      made.push((await call('POST', CLIENTS, { body: { ...wanted, name } })).body['client_id'])
    const first = await call('GET', `${CLIENTS}?limit=2`)
    expect(first.body).toMatchObject({ total: 3, next_cursor: expect.any(String) })
    const rest = await call('GET', `${CLIENTS}?limit=2&cursor=${String(first.body['next_cursor'])}`)
    expect(rest.body).toMatchObject({ total: 3, next_cursor: null })
    const items = [first, rest].flatMap(({ body }) => listOf(body['items']))
    expect(items.map(({ client_id }) => client_id)).toEqual(made)
    expect(Object.keys(items[0] ?? {}).toSorted()).toEqual(
      ['capabilities', 'client_id', 'created_at', 'name', 'purpose', 'redirect_uri'].toSorted(),
    )
    expect((await call('GET', `${CLIENTS}?offset=2`)).body['items']).toHaveLength(1)
    for (const query of ['limit=0', 'limit=x', 'cursor=nonsense', 'offset=10001']) {
      expect(keyOf(await call('GET', `${CLIENTS}?${query}`))).toBe('request.invalid')
    }
  })
})

async function names(): Promise<readonly unknown[]> {
  const { body } = await portal('GET', `${CLIENTS}?limit=500`)
  return listOf(body['items']).map(({ name }) => name)
}

async function atRest(secret: string): Promise<boolean> {
  const isIn = async (table: string, site?: 'directory'): Promise<boolean> => {
    const sql = `select 1 from ${table} t where to_jsonb(t)::text like '%' || $1 || '%'`
    return (await world.rows(sql, [secret], site)).length > 0
  }
  const tables = ['clients.client', 'clients.pending_change', 'account.recovery_copy', 'idempotency.claim']
  const found = await Promise.all([isIn('directory.client', 'directory'), ...tables.map((table) => isIn(table))])
  return found.some(Boolean)
}
