import { readXml } from '@sealpost/http'
import { turnSwitches } from '@sealpost/region/access'
import { ServiceClient } from '@sealpost/sdk'
import {
  companies,
  type CompanyPersona,
  harborline,
  northwind,
  startTwoRegions,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const WHOAMI = '/api/company-data/whoami'
let sites: TwoRegions
let front: string
let eu: string
let us: string

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '6000' })
  front = sites.frontDoor.url
  eu = sites.eu.url ?? ''
  us = sites.us.url ?? ''
})
afterAll(() => sites.close())

interface Told {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Told> {
  return told(await fetch(url, { headers }))
}

async function postForm(
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Told> {
  return told(await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers }))
}

async function told(answer: Response): Promise<Told> {
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
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

  test('tells its health [REGION-04]', async () => {
    const { status, body } = await get(`${front}/api/health`)
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok', region: null, version: '0.1.0' })
  })

  test('publishes the signing keys without their private halves, and discovery metadata that leads to them [REGION-05]', async () => {
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

  test('publishes the OpenAPI documents and a page that shows them [REGION-06]', async () => {
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

  test('answers JSON even when XML is asked for [ERR-05]', async () => {
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

  test('the form must be a form', async () => {
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

  test('a refusal is JSON also for a browser', async () => {
    const answer = await fetch(`${front}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...credentials, client_secret: 'wrong' }),
      headers: { accept: 'text/html' },
    })
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toMatchObject({ error_key: 'oauth.bad_client' })
  })

  test('a second token leaves the first one working [TOKEN-24]', async () => {
    const first = await sites.token(northwind)
    const second = await sites.token(northwind)
    for (const token of [first, second]) expect((await get(`${eu}${WHOAMI}`, bearer(token))).status).toBe(200)
  })

  test('a token works for 3600 seconds and not one longer [TOKEN-06] [LIMIT-01]', async () => {
    const issuedAt = sites.clock.now()
    const token = await sites.token(northwind)
    sites.clock.advance(3_599_000)
    expect((await get(`${eu}${WHOAMI}`, bearer(token))).status).toBe(200)
    sites.clock.advance(1000)
    const late = await get(`${eu}${WHOAMI}`, bearer(token))
    expect(late.status).toBe(401)
    expect(late.body['error_key']).toBe('auth.expired')
    sites.clock.set(issuedAt)
  })

  test('all clients behind one address share one bucket, and another address has its own [TOKEN-21]', async () => {
    const small = await startTwoRegions({ RATE_TOKEN: '5', TRUSTED_PROXIES: '127.0.0.1' })
    try {
      const url = `${small.frontDoor.url}/oauth2/token`
      const ask = (company: CompanyPersona, address: string) => {
        const form = { ...credentials, client_id: company.clientId, client_secret: company.clientSecret }
        return postForm(url, form, { 'x-forwarded-for': address })
      }
      const answers: Told[] = []
      for (const company of [northwind, harborline, northwind, harborline, northwind, harborline]) {
        answers.push(await ask(company, '203.0.113.7'))
      }
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
      const refused = answers[5]
      expect(refused?.body).toMatchObject({ error: 'temporarily_unavailable', error_key: 'rate.limited' })
      expect(Number(refused?.headers.get('retry-after'))).toBe(12)
      expect((await ask(northwind, '203.0.113.8')).status).toBe(200)
    } finally {
      await small.close()
    }
  })
})

describe('whoami', () => {
  test('names the company and the service behind the token, in each home region', async () => {
    for (const [company, url] of [
      [northwind, eu],
      [harborline, us],
    ] as const) {
      const { status, body } = await get(`${url}${WHOAMI}`, bearer(await sites.token(company)))
      expect(status).toBe(200)
      expect(body).toEqual({ company_user_id: company.companyId, service_id: company.serviceId })
    }
  })

  test('the front door and every region but the home answer 421 with the address of the home [REGION-07] [ERR-06]', async () => {
    for (const [company, home, other] of [
      [northwind, eu, us],
      [harborline, us, eu],
    ] as const) {
      const headers = bearer(await sites.token(company))
      for (const misplaced of [front, other]) {
        const { status, body } = await get(`${misplaced}${WHOAMI}`, headers)
        expect(status).toBe(421)
        expect(body).toEqual({ error: expect.any(String), error_key: 'region.rebase_required', api_url: home })
      }
    }
  })

  test('no token is 401 with a plain challenge, a bad one names the token as invalid [AUTH-16]', async () => {
    for (const url of [front, eu]) {
      const none = await get(`${url}${WHOAMI}`)
      expect([none.status, none.body['error_key']]).toEqual([401, 'auth.token_missing'])
      expect(none.headers.get('www-authenticate')).toBe('Bearer')
      const bad = await get(`${url}${WHOAMI}`, bearer('nonsense'))
      expect([bad.status, bad.body['error_key']]).toEqual([401, 'auth.token_invalid'])
      expect(bad.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      const issuedAt = sites.clock.now()
      const token = await sites.token(northwind)
      sites.clock.advance(3_600_000)
      const late = await get(`${url}${WHOAMI}`, bearer(token))
      expect([late.status, late.body['error_key']]).toEqual([401, 'auth.expired'])
      expect(late.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      sites.clock.set(issuedAt)
    }
  })

  test('a revoked client is refused at once by every process of its region, and a new token works', async () => {
    const second = await sites.another('eu')
    const processes = [eu, second.url ?? '']
    const old = await sites.token(northwind)
    for (const url of processes) expect((await get(`${url}${WHOAMI}`, bearer(old))).status).toBe(200)
    await sites.eu.core.operations.revokeClientTokens(northwind.companyId, northwind.clientId)
    for (const url of processes) {
      const refused = await get(`${url}${WHOAMI}`, bearer(old))
      expect([refused.status, refused.body['error_key']]).toEqual([401, 'auth.token_invalid'])
    }
    const fresh = await sites.token(northwind)
    for (const url of processes) expect((await get(`${url}${WHOAMI}`, bearer(fresh))).status).toBe(200)
  })

  test('a token with an epoch that its region has not heard of is believed, and ends the older ones', async () => {
    const old = await sites.token(northwind)
    await sites.eu.core.clientDirectory.raiseEpoch({ clientId: northwind.clientId, userId: northwind.companyId })
    const fresh = await sites.token(northwind)
    expect((await get(`${eu}${WHOAMI}`, bearer(fresh))).status).toBe(200)
    expect((await get(`${eu}${WHOAMI}`, bearer(old))).status).toBe(401)
  })

  test('a service that asks too often is told how much is left and when to come back', async () => {
    const small = await startTwoRegions({ RATE_DATA: '2' })
    try {
      const headers = bearer(await small.token(northwind))
      const answers: Told[] = []
      for (let i = 0; i < 3; i += 1) answers.push(await get(`${small.eu.url ?? ''}${WHOAMI}`, headers))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
      expect(answers.map((answer) => answer.headers.get('ratelimit-policy'))).toEqual(Array(3).fill('"data";q=2;w=60'))
      expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"data";r=1;t=\d+$/)
      expect(answers[2]?.body).toEqual({ error: expect.any(String), error_key: 'rate.limited' })
      expect(Number(answers[2]?.headers.get('retry-after'))).toBe(30)
    } finally {
      await small.close()
    }
  })

  test('a region that is out of order says so before anything else, and its health tells it', async () => {
    const { database, clock } = sites.eu.core
    await turnSwitches({ database, clock }, { writesPaused: false, outOfOrder: true })
    const refused = await get(`${eu}${WHOAMI}`)
    expect([refused.status, refused.body['error_key']]).toEqual([503, 'platform.out_of_order'])
    expect(refused.headers.get('retry-after')).toBe('300')
    expect((await get(`${eu}/api/health`)).body['status']).toBe('out_of_order')
    await turnSwitches({ database, clock }, { writesPaused: false, outOfOrder: false })
    expect((await get(`${eu}/api/health`)).body).toEqual({ status: 'ok', region: 'eu', version: '0.1.0' })
  })

  test('answers and refusals come as XML when asked for, with the same members [ERR-05]', async () => {
    const token = bearer(await sites.token(northwind))
    const cases = [
      { url: `${eu}${WHOAMI}`, headers: token },
      { url: `${us}${WHOAMI}`, headers: token },
      { url: `${front}${WHOAMI}`, headers: token },
      { url: `${eu}${WHOAMI}`, headers: {} },
      { url: `${eu}${WHOAMI}`, headers: bearer('nonsense') },
    ]
    for (const { url, headers } of cases) {
      const json = await get(url, headers)
      const answer = await fetch(url, { headers: { ...headers, accept: 'application/xml' } })
      expect(answer.status).toBe(json.status)
      expect(answer.headers.get('content-type')).toContain('application/xml')
      expect(readXml(await answer.text())).toEqual(json.body)
    }
  })

  test('every refusal has the house body, its own members and a request id [ERR-01]', async () => {
    const token = bearer(await sites.token(northwind))
    const refusals = [
      await get(`${eu}${WHOAMI}`),
      await get(`${us}${WHOAMI}`, token),
      await get(`${eu}/api/company-data/nothing-here`, token),
      await get(`${eu}/api/company-data/%2e%2e/whoami`, token),
      await postForm(`${eu}${WHOAMI}`, {}, token),
    ]
    expect(refusals.map(({ body }) => body['error_key'])).toEqual([
      'auth.token_missing',
      'region.rebase_required',
      'request.not_found',
      'request.not_found',
      'request.method_not_allowed',
    ])
    for (const { body, headers } of refusals) {
      expect(body).toMatchObject({ error: expect.any(String), error_key: expect.any(String) })
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{1,64}$/)
      expect(headers.get('x-platform-api-version')).toBe('1')
    }
  })
})

describe('the SDK against the real platform', () => {
  test('authenticates at the front door and reads whoami in the home region', async () => {
    for (const { clientId, clientSecret, companyId, serviceId } of companies) {
      const client = new ServiceClient({ frontDoorUrl: front, clientId, clientSecret })
      expect(await client.whoami()).toEqual({ company_user_id: companyId, service_id: serviceId })
    }
  })
})

test('no log line of the whole run holds a token or a secret', async () => {
  const token = await sites.token(northwind)
  await get(`${eu}${WHOAMI}`, bearer(token))
  const text = sites.telemetry.text()
  expect(text.length).toBeGreaterThan(1000)
  for (const planted of [token, northwind.clientSecret, harborline.clientSecret]) expect(text).not.toContain(planted)
})
