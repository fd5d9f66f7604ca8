import { type CompanyPersona, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { turnSwitches } from './guard/index.ts'

const world = await openWorld({ settings: { RATE_TOKEN: '600' } })
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const [eu, us, front] = [world.eu.url ?? '', world.us.url ?? '', world.frontDoor.url]

describe('a token request at a regional base', () => {
  test('in the home region is relayed to the front door and answered without api_url', async () => {
    const { status, body, headers } = await ask(eu, credentials(northwind))
    expect(status).toBe(200)
    expect(body).toEqual({ token_type: 'Bearer', expires_in: 3600, access_token: expect.any(String) })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('ratelimit-policy')).toBe('"token";q=600;w=60')
    const whoami = await fetch(`${eu}/api/company-data/whoami`, {
      headers: { authorization: `Bearer ${String(body['access_token'])}` },
    })
    expect(whoami.status).toBe(200)
  })

  test('may authenticate by HTTP Basic, and is challenged for it when the credentials are wrong', async () => {
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${northwind.clientId}:${secret}`).toString('base64')}`,
    })
    const form = { grant_type: 'client_credentials' }
    expect(await ask(eu, form, basic(northwind.clientSecret))).toMatchObject({ status: 200 })
    const [here, there] = [await ask(eu, form, basic('wrong')), await ask(front, form, basic('wrong'))]
    expect(here).toMatchObject({ status: 401, body: { error: 'invalid_client', error_key: 'oauth.bad_client' } })
    expect(here.body).toEqual(there.body)
    expect(here.headers.get('www-authenticate')).toMatch(/^Basic/)
  })

  test.each<[string, Record<string, string>]>([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['no secret', { client_secret: '' }],
    ['a grant that does not exist', { grant_type: 'password' }],
    ['no grant', { grant_type: '' }],
    ['a refresh token that never was', { grant_type: 'refresh_token', refresh_token: 'eu.nothing' }],
  ])('answers %s as the front door does', async (_what, change) => {
    const form = { ...credentials(northwind), ...change }
    const [here, there] = [await ask(eu, form), await ask(front, form)]
    expect(here.status).toBeGreaterThanOrEqual(400)
    expect([here.status, here.body]).toEqual([there.status, there.body])
  })

  test('of another region’s client is answered with the address of its home', async () => {
    for (const [here, client, home] of [
      [us, northwind, eu],
      [eu, harborline, us],
    ] as const) {
      const { status, body } = await ask(here, credentials(client))
      expect([status, body['api_url']]).toEqual([200, home])
      const whoami = await fetch(`${home}/api/company-data/whoami`, {
        headers: { authorization: `Bearer ${String(body['access_token'])}` },
      })
      expect(whoami.status).toBe(200)
    }
  })

  test.each<[string, Record<string, string>]>([
    ['an unknown client', { client_id: 'svc_aaaaaaaaaaaaaaaaaaaaaaaa' }],
    ['no client', { client_id: '', client_secret: '' }],
    ['a wrong secret', { client_secret: 'wrong' }],
    ['a refresh token that never was', { grant_type: 'refresh_token', refresh_token: 'x' }],
  ])('away from home, answers %s as the front door does', async (_what, change) => {
    const form = { ...credentials(northwind), ...change }
    const [here, there] = [await ask(us, form), await ask(front, form)]
    expect(here.status).toBeGreaterThanOrEqual(400)
    expect([here.status, here.body]).toEqual([there.status, there.body])
  })

  test('with an authorization code is referred to the front door, also in the home region [TOKEN-19]', async () => {
    for (const url of [eu, us]) {
      const { status, body } = await ask(url, {
        ...credentials(northwind),
        grant_type: 'authorization_code',
        code: 'c',
      })
      expect([status, body['error_key'], body['api_url']]).toEqual([421, 'region.rebase_required', front])
    }
  })

  test('leaves no part of its secret in the log', async () => {
    const secret = 'a-secret-that-must-not-be-found-anywhere-43'
    await ask(eu, { ...credentials(northwind), client_secret: secret })
    expect(JSON.stringify(world.telemetry.lines())).not.toContain(secret)
  })

  test('is served while writes are paused; while out of order, only client credentials are', async () => {
    const { platform } = world.eu
    const refresh = { ...credentials(northwind), grant_type: 'refresh_token', refresh_token: 'x' }
    await turnSwitches(platform, { writesPaused: true })
    expect((await ask(eu, credentials(northwind))).status).toBe(200)
    expect((await ask(eu, refresh)).body['error_key']).not.toBe('db.writes_paused')
    await turnSwitches(platform, { writesPaused: false, outOfOrder: true })
    expect((await ask(eu, credentials(northwind))).status).toBe(200)
    expect((await ask(front, credentials(northwind))).status).toBe(200)
    for (const grant of ['refresh_token', 'authorization_code']) {
      const refused = await ask(eu, { ...refresh, grant_type: grant, code: 'c' })
      expect([refused.status, refused.body['error_key']]).toEqual([503, 'platform.out_of_order'])
      expect(refused.headers.get('retry-after')).toBe('300')
    }
    await turnSwitches(platform, { outOfOrder: false })
  })
})

// Last in this file: it closes the front door.
test('without the front door a region answers 503 region.unreachable', async () => {
  await world.frontDoor.close()
  const { status, body, headers } = await ask(eu, credentials(northwind))
  expect([status, body['error_key'], headers.get('retry-after')]).toEqual([503, 'region.unreachable', '5'])
})

function credentials({ clientId, clientSecret }: CompanyPersona): Record<string, string> {
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
}

async function ask(url: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form), headers })
  const body = (await answer.json()) as Record<string, unknown>
  return { status: answer.status, headers: answer.headers, body }
}
