import { errorCatalog } from '@sealpost/protocol'
import { call, type CompanyPersona, listOf, logIn, openWorld, signUp } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { bearer, get, postForm, type WireAnswer, WHOAMI } from './wire.ts'

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const [front, eu, us] = [world.frontDoor.url, world.eu.url ?? '', world.us.url ?? '']

const credentials = {
  grant_type: 'client_credentials',
  client_id: northwind.clientId,
  client_secret: northwind.clientSecret,
}

describe('the front door, without any login', () => {
  test('lists the regions with their addresses and states [REGION-03]', async () => {
    const { status, body } = await get(`${front}/api/regions`)
    expect(status).toBe(200)
    expect(body).toEqual({
      total: 2,
      items: [
        { code: 'eu', name: 'Europe', api_url: eu, status: 'ok' },
        { code: 'us', name: 'United States', api_url: us, status: 'ok' },
      ],
    })
  })

  test('serves tokens, regions, health, discovery, keys, API documents and their page [REGION-02]', async () => {
    expect((await postForm(`${front}/oauth2/token`, credentials)).status).toBe(200)
    const open = ['/api/regions', '/api/health', '/oauth2/jwks', '/api/docs', '/api/openapi/account.json']
    const wellKnown = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
    for (const path of [...open, ...wellKnown]) {
      const answer = await fetch(`${front}${path}`)
      await answer.bytes()
      expect([path, answer.status]).toEqual([path, 200])
    }
  })

  test('reports its health [REGION-04]', async () => {
    const { status, body } = await get(`${front}/api/health`)
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok', region: null, version: '0.1.0' })
  })

  test('publishes the public signing keys, and discovery metadata with their address [REGION-05]', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const { status, body } = await get(`${front}/.well-known/${name}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        issuer: front,
        token_endpoint: `${front}/oauth2/token`,
        jwks_uri: `${front}/oauth2/jwks`,
      })
    }
    const { body } = await get(`${front}/oauth2/jwks`)
    expect(body['keys']).toEqual([
      expect.objectContaining({ kty: 'EC', alg: 'ES256', kid: expect.any(String) }),
      expect.objectContaining({ kty: 'RSA', alg: 'RS256', kid: expect.any(String) }),
    ])
    expect(JSON.stringify(body)).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
  })

  test('publishes the OpenAPI documents and a page that renders them [REGION-06]', async () => {
    for (const name of ['company-data', 'account', 'customer', 'front-door']) {
      const { status, body } = await get(`${front}/api/openapi/${name}.json`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ openapi: '3.1.0', info: { title: expect.any(String) } })
    }
    const { body } = await get(`${front}/api/openapi/company-data.json`)
    expect(body['paths']).toHaveProperty([WHOAMI])
    const page = await fetch(`${front}/api/docs`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('swagger-ui')
  })

  test('leads from its root to the API reference, which has our name and icon', async () => {
    const root = await fetch(front, { redirect: 'manual' })
    expect([root.status, root.headers.get('location')]).toEqual([303, '/api/docs'])
    const page = await (await fetch(front)).text()
    expect(page).toContain('<title>Sealpost API reference</title>')
    const [, icon = ''] = /<link rel="icon" [^>]*href="([^"]+)"/.exec(page) ?? []
    const answer = await fetch(`${front}${icon}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(await answer.text()).toContain('<svg')
  })

  test('the page of the API reference may call every server of its documents, and their regions let it', async () => {
    const { headers } = await fetch(`${front}/api/docs`)
    const [, allowed = ''] = /connect-src ([^;]+)/.exec(headers.get('content-security-policy') ?? '') ?? []
    for (const name of ['company-data', 'account', 'customer', 'front-door']) {
      const { body } = await get(`${front}/api/openapi/${name}.json`)
      const servers = listOf(body['servers']).map(({ url }) => String(url))
      expect(allowed.split(' ')).toEqual(expect.arrayContaining(servers))
      for (const server of servers) {
        const preflight = await fetch(`${server}${WHOAMI}`, {
          method: 'OPTIONS',
          headers: {
            origin: front,
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'authorization,x-request-id',
          },
        })
        expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, front])
      }
    }
  })

  test('publishes a page with an entry for every error key, and every refusal links to its entry', async () => {
    const page = await fetch(`${front}/docs/errors`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const text = await page.text()
    expect(Object.keys(errorCatalog).filter((key) => !text.includes(`<section id="${key}">`))).toEqual([])
    const stranger = { headers: bearer('nothing') }
    const refusals = [
      await fetch(`${eu}${WHOAMI}`),
      await fetch(`${us}${WHOAMI}`, { headers: { ...stranger.headers, accept: 'application/xml' } }),
      await fetch(`${front}/nowhere`),
      await fetch(`${front}/api/docs/static/nothing.js`),
      await fetch(`${front}/api/regions`, { method: 'POST' }),
      await fetch(`${front}/oauth2/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'password' }) }),
      await fetch(`${front}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...credentials, client_secret: 'wrong' }),
      }),
    ]
    const links = refusals.map(({ headers }) => /^<(.+)#(.+)>; rel="help"$/.exec(headers.get('link') ?? '')?.slice(1))
    const keys = await Promise.all(refusals.map(async (answer) => keyIn(await answer.text())))
    expect(links).toEqual(keys.map((key) => [`${front}/docs/errors`, key]))
    expect(keys).toEqual([
      'auth.token_missing',
      'auth.token_invalid',
      'request.not_found',
      'request.not_found',
      'request.method_not_allowed',
      expect.stringMatching(/^oauth\./),
      'oauth.bad_client',
    ])
  })

  test('answers JSON even when XML is requested [ERR-05]', async () => {
    for (const path of ['/api/regions', '/api/health', '/oauth2/jwks', '/.well-known/openid-configuration']) {
      const answer = await fetch(`${front}${path}`, { headers: { accept: 'application/xml' } })
      expect(answer.headers.get('content-type')).toContain('json')
    }
  })
})

describe('tokens', () => {
  test('client_credentials by form gives a bearer for an hour with the home address and no refresh token [TOKEN-01] [TOKEN-05] [TOKEN-07] [TOKEN-08] [TOKEN-09]', async () => {
    const { status, body, headers } = await postForm(`${front}/oauth2/token`, credentials)
    expect(status).toBe(200)
    expect(body).toEqual({ token_type: 'Bearer', expires_in: 3600, access_token: expect.any(String), api_url: eu })
    expect(headers.get('cache-control')).toContain('no-store')
    expect((await get(`${eu}${WHOAMI}`, bearer(String(body['access_token'])))).status).toBe(200)
  })

  test('a body that is no form is refused', async () => {
    const answer = await fetch(`${front}/oauth2/token`, {
      method: 'POST',
      body: JSON.stringify(credentials),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_request', error_key: 'oauth.invalid_request' })
  })

  test('a wrong secret and an unknown client are refused alike [TOKEN-11]', async () => {
    const wrong = await postForm(`${front}/oauth2/token`, { ...credentials, client_secret: 'wrong' })
    const unknown = await postForm(`${front}/oauth2/token`, {
      ...credentials,
      client_id: 'svc_000000000000000000000000',
    })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ error: 'invalid_client', error_key: 'oauth.bad_client' })
    expect({ status: unknown.status, body: unknown.body }).toEqual({ status: wrong.status, body: wrong.body })
  })

  test('a refusal is JSON for browsers too', async () => {
    const answer = await fetch(`${front}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...credentials, client_secret: 'wrong' }),
      headers: { accept: 'text/html' },
    })
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toMatchObject({ error_key: 'oauth.bad_client' })
  })

  test('a second token leaves the first one working [TOKEN-24]', async () => {
    const first = await world.token(northwind)
    const second = await world.token(northwind)
    for (const token of [first, second]) expect((await get(`${eu}${WHOAMI}`, bearer(token))).status).toBe(200)
  })

  test('a token works for 3600 seconds and not one longer [TOKEN-06] [LIMIT-01]', async () => {
    const token = await world.token(northwind)
    world.clock.advance(3_599_000)
    expect((await get(`${eu}${WHOAMI}`, bearer(token))).status).toBe(200)
    world.clock.advance(1000)
    const late = await get(`${eu}${WHOAMI}`, bearer(token))
    expect(late.status).toBe(401)
    expect(late.body['error_key']).toBe('auth.expired')
  })

  test('all clients behind one address share one bucket, and another address has its own [TOKEN-21]', async () => {
    const { url } = await world.anotherFrontDoor({ RATE_TOKEN: '5', TRUSTED_PROXIES: '127.0.0.1' })
    const ask = ({ clientId, clientSecret }: CompanyPersona, address: string) => {
      const form = { ...credentials, client_id: clientId, client_secret: clientSecret }
      return postForm(`${url}/oauth2/token`, form, { 'x-forwarded-for': address })
    }
    const companies = [northwind, harborline]
    const answers: WireAnswer[] = []
    for (const company of [...companies, ...companies, ...companies]) answers.push(await ask(company, '203.0.113.7'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    const refused = answers[5]
    expect(refused?.body).toMatchObject({ error: 'temporarily_unavailable', error_key: 'rate.limited' })
    expect(Number(refused?.headers.get('retry-after'))).toBe(12)
    for (const company of companies) expect((await ask(company, '203.0.113.8')).status).toBe(200)
  })
})

describe('the data of a company', () => {
  test.each(['eu', 'us'] as const)(
    'rests in its home region %s and is served there; the front door gives tokens and refers to it [REGION-01]',
    async (home) => {
      const away = home === 'eu' ? 'us' : 'eu'
      const [homeUrl, awayUrl] = home === 'eu' ? [eu, us] : [us, eu]
      const user = await signUp(world, { userType: 'company', region: home, displayName: `Resident of ${home}` })
      const session = await logIn(world, user)
      expect(session.apiUrl).toBe(homeUrl)
      const made = await call(session, 'POST', '/api/account/clients', { body: { name: 'Reader', capabilities: [] } })
      const { client_id, client_secret } = made.body
      const form = { ...credentials, client_id: String(client_id), client_secret: String(client_secret) }
      const { body } = await postForm(`${front}/oauth2/token`, form)
      expect(body['api_url']).toBe(homeUrl)
      const headers = bearer(String(body['access_token']))
      const served = await get(`${homeUrl}/api/account`, headers)
      expect([served.status, served.body['id'], served.body['region']]).toEqual([200, user.userId, home])
      for (const url of [front, awayUrl]) {
        const { status, body: refused } = await get(`${url}/api/account`, headers)
        expect([status, refused]).toEqual([
          421,
          expect.objectContaining({ error_key: 'region.rebase_required', api_url: homeUrl }),
        ])
      }
      expect(await tablesWith(user.userId, home)).toContain('account.account')
      expect(await tablesWith(user.userId, away)).toEqual([])
      for (const secret of [user.displayName, user.email]) {
        expect(await tablesWith(secret, home)).not.toEqual([])
        expect(await tablesWith(secret, away)).toEqual([])
        expect(await tablesWith(secret, 'directory')).toEqual([])
      }
    },
  )
})

/** The error key of a body in JSON or XML. */
function keyIn(body: string): string {
  return /"error_key":"([^"]+)"|<error_key>([^<]+)/.exec(body)?.slice(1).join('') ?? body
}

/** The tables with a row that contains the text. */
async function tablesWith(text: string, place: 'eu' | 'us' | 'directory'): Promise<readonly string[]> {
  const tables = await world.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    [],
    place,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const sql = `select 1 from ${name} x where strpos(x::text, $1) > 0 limit 1`
    if ((await world.rows(sql, [text], place)).length > 0) found.push(name)
  }
  return found
}
