import { turnSwitches } from '@sealpost/region/access'
import { mara, openWorld } from '@sealpost/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postForm, type WireAnswer } from '../wire.ts'
import {
  attempt,
  dataClientOf,
  exchange,
  obtainCode,
  obtainTokens,
  renew,
  submitLogin,
  token,
  tokensOf,
} from './relying-party.ts'

// Of its own, because the region is stopped.
const world = await openWorld({ own: true })
const { northwind } = await world.personas('northwind')
const svc = await dataClientOf(northwind)
const credentials = { client_id: svc.clientId, client_secret: svc.clientSecret }

describe('with low limits', () => {
  test('logins on the page are counted with those of the web apps', async () => {
    const limited = await openWorld({ settings: { RATE_LOGIN_ACCOUNT: '4' } })
    const client = await dataClientOf((await limited.personas('northwind')).northwind)
    const wrong = { ...northwind, login: mara.login }
    const statuses: number[] = []
    for (let tries = 0; tries < 5; tries += 1)
      statuses.push((await submitLogin(limited, attempt(client), wrong)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 429])
    const refused = await submitLogin(limited, attempt(client), northwind)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  })

  test('polls of one state are limited, with RateLimit headers', async () => {
    const { url } = await world.anotherFrontDoor({ RATE_RESULT: '2' })
    const poll = (state: string) => postForm(`${url}/oauth2/result`, { ...credentials, state })
    const first = await poll('one')
    expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([202, '"result";q=2;w=60'])
    await poll('one')
    const refused = await poll('one')
    expect([refused.status, refused.body['error'], refused.body['error_key']]).toEqual([
      429,
      'temporarily_unavailable',
      'rate.limited',
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await poll('two')).status).toBe(202)
  })
})

describe('while the region of a grant', () => {
  test('is out of order, codes and refresh tokens are refused and stay valid, and client credentials work [TOKEN-23]', async () => {
    const tokens = await obtainTokens(world, svc, northwind)
    const made = attempt(svc)
    const code = await obtainCode(world, made, northwind)
    await world.eu.modules.access.directory.flagRegion(true)
    for (const refused of [
      await exchange(world, svc, made, code),
      await renew(world, svc, tokens.refresh),
      await revoke(tokens.refresh),
    ]) {
      expect(houseRefusal(refused)).toEqual([503, ['error', 'error_key'], 'platform.out_of_order', '300'])
    }
    const page = await submitLogin(world, attempt(svc), northwind)
    expect([page.status, page.headers.get('retry-after'), page.headers.get('location')]).toEqual([503, '300', null])
    expect((await token(world, svc, { grant_type: 'client_credentials' })).status).toBe(200)
    await world.eu.modules.access.directory.flagRegion(false)
    expect((await exchange(world, svc, made, code)).status).toBe(200)
    expect((await renew(world, svc, tokens.refresh)).status).toBe(200)
  })

  test('has paused writes, every grant works [TOKEN-22]', async () => {
    const { database, clock } = world.eu.platform
    const tokens = await obtainTokens(world, svc, northwind)
    await turnSwitches({ database, clock }, { writesPaused: true })
    onTestFinished(() => turnSwitches({ database, clock }, { writesPaused: false }))
    await obtainTokens(world, svc, northwind)
    const next = tokensOf(await renew(world, svc, tokens.refresh))
    expect((await renew(world, svc, tokens.refresh)).body['error']).toBe('invalid_grant')
    expect((await renew(world, svc, next.refresh)).body['error']).toBe('invalid_grant')
    expect((await token(world, svc, { grant_type: 'client_credentials' })).status).toBe(200)
  })

  test('refuses all writes, a result is not given, and is given after the pause [ERR-03]', async () => {
    const { database, clock } = world.eu.platform
    const made = attempt(svc, { response_mode: 'detached' })
    const done = await submitLogin(world, made, northwind)
    expect([done.status, done.headers.get('location')]).toEqual([200, null])
    const poll = () =>
      postForm(`${world.frontDoor.url}/oauth2/result`, { ...credentials, state: made.query['state'] ?? '' })
    await turnSwitches({ database, clock }, { writesPaused: true })
    expect(houseRefusal(await poll())).toEqual([503, ['error', 'error_key'], 'db.writes_paused', '30'])
    await turnSwitches({ database, clock }, { writesPaused: false })
    expect((await poll()).body).toHaveProperty('code')
  })

  // The last test: the region stays closed.
  test('is unreachable, codes and refresh tokens are answered 503, and client credentials work', async () => {
    const { refresh } = await obtainTokens(world, svc, northwind)
    const made = attempt(svc)
    const code = await obtainCode(world, made, northwind)
    await world.eu.close()
    for (const refused of [await exchange(world, svc, made, code), await renew(world, svc, refresh)]) {
      expect(houseRefusal(refused)).toEqual([503, ['error', 'error_key'], 'region.unreachable', '5'])
    }
    expect((await token(world, svc, { grant_type: 'client_credentials' })).status).toBe(200)
  })
})

function revoke(refreshToken: string): Promise<WireAnswer> {
  return postForm(`${world.frontDoor.url}/oauth2/revoke`, { ...credentials, token: refreshToken })
}

function houseRefusal({ status, body, headers }: WireAnswer) {
  return [status, Object.keys(body).toSorted(), body['error_key'], headers.get('retry-after')]
}
