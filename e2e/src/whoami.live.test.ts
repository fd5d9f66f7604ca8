import { readXml } from '@sealpost/http'
import { turnSwitches } from '@sealpost/region/access'
import { ServiceClient } from '@sealpost/sdk'
import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { bearer, get, postForm, type WireAnswer, WHOAMI } from './wire.ts'

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const [front, eu, us] = [world.frontDoor.url, world.eu.url ?? '', world.us.url ?? '']

describe('whoami', () => {
  test('names the company and the service behind the token, in each home region', async () => {
    for (const [company, url] of [
      [northwind, eu],
      [harborline, us],
    ] as const) {
      const { status, body } = await get(`${url}${WHOAMI}`, bearer(await world.token(company)))
      expect(status).toBe(200)
      expect(body).toEqual({ company_user_id: company.companyId, service_id: company.serviceId })
    }
  })

  test('the front door and every region but the home answer 421 with the address of the home [REGION-07] [ERR-06]', async () => {
    for (const [company, home, other] of [
      [northwind, eu, us],
      [harborline, us, eu],
    ] as const) {
      const headers = bearer(await world.token(company))
      for (const misplaced of [front, other]) {
        const { status, body } = await get(`${misplaced}${WHOAMI}`, headers)
        expect(status).toBe(421)
        expect(body).toEqual({ error: expect.any(String), error_key: 'region.rebase_required', api_url: home })
      }
    }
  })

  test('no token is 401 with a plain challenge, a bad one has invalid_token in its challenge [AUTH-16]', async () => {
    for (const url of [front, eu]) {
      const none = await get(`${url}${WHOAMI}`)
      expect([none.status, none.body['error_key']]).toEqual([401, 'auth.token_missing'])
      expect(none.headers.get('www-authenticate')).toBe('Bearer')
      const bad = await get(`${url}${WHOAMI}`, bearer('nonsense'))
      expect([bad.status, bad.body['error_key']]).toEqual([401, 'auth.token_invalid'])
      expect(bad.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      const token = await world.token(northwind)
      world.clock.advance(3_600_000)
      const late = await get(`${url}${WHOAMI}`, bearer(token))
      expect([late.status, late.body['error_key']]).toEqual([401, 'auth.expired'])
      expect(late.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
  })

  test('a revoked client is refused at once by every process of its region, and a new token works', async () => {
    const second = await world.another('eu')
    const processes = [eu, second.url ?? '']
    const old = await world.token(northwind)
    for (const url of processes) expect((await get(`${url}${WHOAMI}`, bearer(old))).status).toBe(200)
    await world.eu.operations.revokeClientTokens(northwind.companyId, northwind.clientId)
    for (const url of processes) {
      const refused = await get(`${url}${WHOAMI}`, bearer(old))
      expect([refused.status, refused.body['error_key']]).toEqual([401, 'auth.token_invalid'])
    }
    const fresh = await world.token(northwind)
    for (const url of processes) expect((await get(`${url}${WHOAMI}`, bearer(fresh))).status).toBe(200)
  })

  test('a token with a newer epoch than its region knows is accepted, and ends the older ones', async () => {
    const old = await world.token(northwind)
    await world.eu.modules.access.directory.raiseEpoch({ clientId: northwind.clientId, userId: northwind.companyId })
    const fresh = await world.token(northwind)
    expect((await get(`${eu}${WHOAMI}`, bearer(fresh))).status).toBe(200)
    expect((await get(`${eu}${WHOAMI}`, bearer(old))).status).toBe(401)
  })

  test('a service over its limit gets 429 with RateLimit and Retry-After headers', async () => {
    const { url } = await world.another('eu', { RATE_DATA: '2' })
    const headers = bearer(await (await world.service()).token())
    const answers: WireAnswer[] = []
    for (let i = 0; i < 3; i += 1) answers.push(await get(`${url}${WHOAMI}`, headers))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers.map((answer) => answer.headers.get('ratelimit-policy'))).toEqual(Array(3).fill('"data";q=2;w=60'))
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"data";r=1;t=\d+$/)
    expect(answers[2]?.body).toEqual({ error: expect.any(String), error_key: 'rate.limited' })
    expect(Number(answers[2]?.headers.get('retry-after'))).toBe(30)
  })

  test('a region that is out of order refuses calls before all other gates and reports it in its health', async () => {
    const own = await openWorld({ own: true })
    const { platform, url } = own.eu
    await turnSwitches(platform, { writesPaused: false, outOfOrder: true })
    const refused = await get(`${url}${WHOAMI}`)
    expect([refused.status, refused.body['error_key']]).toEqual([503, 'platform.out_of_order'])
    expect(refused.headers.get('retry-after')).toBe('300')
    expect((await get(`${url}/api/health`)).body['status']).toBe('out_of_order')
    await turnSwitches(platform, { writesPaused: false, outOfOrder: false })
    expect((await get(`${url}/api/health`)).body).toEqual({ status: 'ok', region: 'eu', version: '0.1.0' })
  })

  test('answers and refusals are XML when requested, with the same members [ERR-05]', async () => {
    const token = bearer(await world.token(northwind))
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

  test('every refusal has the standard body, its own members and a request id [ERR-01]', async () => {
    const token = bearer(await world.token(northwind))
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
      // `fetch` resolves the dots: this is /api/whoami, outside every pattern of the client.
      'auth.client_endpoint_forbidden',
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
    for (const { clientId, clientSecret, companyId, serviceId } of [northwind, harborline]) {
      const client = new ServiceClient({ frontDoorUrl: front, clientId, clientSecret })
      expect(await client.whoami()).toEqual({ company_user_id: companyId, service_id: serviceId })
    }
  })
})

test('no log line of the whole run contains a token or a secret', async () => {
  const token = await world.token(northwind)
  await get(`${eu}${WHOAMI}`, bearer(token))
  const text = world.telemetry.text()
  expect(text.length).toBeGreaterThan(1000)
  for (const planted of [token, northwind.clientSecret, harborline.clientSecret]) expect(text).not.toContain(planted)
})
