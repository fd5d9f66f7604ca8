import { turnSwitches } from '@sealpost/region/access'
import { mara, northwind, type Office, openOffice } from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { postForm, type WireAnswer } from '../wire.ts'
import {
  attempt,
  exchange,
  obtainCode,
  obtainTokens,
  REDIRECT,
  renew,
  setRedirect,
  submitLogin,
  token,
  tokensOf,
} from './relying-party.ts'

const svc = { clientId: northwind.clientId, clientSecret: northwind.clientSecret, redirectUri: REDIRECT }
let office: Office

async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  office = await openOffice(settings)
  await setRedirect(office.northwind, northwind.serviceId, REDIRECT)
}

describe('while the region of a grant', () => {
  beforeAll(() => open())
  afterAll(() => office.close())

  test('is out of order, codes and refresh tokens are refused and stay valid, and client credentials work [TOKEN-23]', async () => {
    const tokens = await obtainTokens(office, svc, northwind)
    const made = attempt(svc)
    const code = await obtainCode(office, made, northwind)
    await office.two.eu.modules.access.directory.flagRegion(true)
    for (const refused of [
      await exchange(office, svc, made, code),
      await renew(office, svc, tokens.refresh),
      await revoke(tokens.refresh),
    ]) {
      expect(houseRefusal(refused)).toEqual([503, ['error', 'error_key'], 'platform.out_of_order', '300'])
    }
    const page = await submitLogin(office, attempt(svc), northwind)
    expect([page.status, page.headers.get('retry-after'), page.headers.get('location')]).toEqual([503, '300', null])
    expect((await token(office, svc, { grant_type: 'client_credentials' })).status).toBe(200)
    await office.two.eu.modules.access.directory.flagRegion(false)
    expect((await exchange(office, svc, made, code)).status).toBe(200)
    expect((await renew(office, svc, tokens.refresh)).status).toBe(200)
  })

  test('has paused writes, every grant works [TOKEN-22]', async () => {
    const { database, clock } = office.two.eu.platform
    const tokens = await obtainTokens(office, svc, northwind)
    await turnSwitches({ database, clock }, { writesPaused: true })
    onTestFinished(() => turnSwitches({ database, clock }, { writesPaused: false }))
    await obtainTokens(office, svc, northwind)
    const next = tokensOf(await renew(office, svc, tokens.refresh))
    expect((await renew(office, svc, tokens.refresh)).body['error']).toBe('invalid_grant')
    expect((await renew(office, svc, next.refresh)).body['error']).toBe('invalid_grant')
    expect((await token(office, svc, { grant_type: 'client_credentials' })).status).toBe(200)
  })

  test('refuses all writes, a result is not given, and is given after the pause', async () => {
    const { database, clock } = office.two.eu.platform
    const made = attempt(svc, { response_mode: 'detached' })
    const done = await submitLogin(office, made, northwind)
    expect([done.status, done.headers.get('location')]).toEqual([200, null])
    const poll = () =>
      postForm(`${office.two.frontDoor.url}/oauth2/result`, { ...credentials(), state: made.query['state'] ?? '' })
    await turnSwitches({ database, clock }, { writesPaused: true })
    expect(houseRefusal(await poll())).toEqual([503, ['error', 'error_key'], 'db.writes_paused', '30'])
    await turnSwitches({ database, clock }, { writesPaused: false })
    expect((await poll()).body).toHaveProperty('code')
  })

  // The last test: the region stays closed.
  test('is unreachable, codes and refresh tokens are answered 503, and client credentials work', async () => {
    const { refresh } = await obtainTokens(office, svc, northwind)
    const made = attempt(svc)
    const code = await obtainCode(office, made, northwind)
    await office.two.eu.close()
    for (const refused of [await exchange(office, svc, made, code), await renew(office, svc, refresh)]) {
      expect(houseRefusal(refused)).toEqual([503, ['error', 'error_key'], 'region.unreachable', '5'])
    }
    expect((await token(office, svc, { grant_type: 'client_credentials' })).status).toBe(200)
  })
})

describe('with low limits', () => {
  beforeAll(() => open({ RATE_LOGIN_ACCOUNT: '4', RATE_RESULT: '2' }))
  afterAll(() => office.close())

  test('logins on the page are counted with those of the web apps', async () => {
    const wrong = { ...northwind, login: mara.login }
    const statuses: number[] = []
    for (let tries = 0; tries < 4; tries += 1) statuses.push((await submitLogin(office, attempt(svc), wrong)).status)
    expect(statuses).toEqual([401, 401, 401, 429])
    const refused = await submitLogin(office, attempt(svc), northwind)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  })

  test('polls of one state are limited, with RateLimit headers', async () => {
    const poll = (state: string) => postForm(`${office.two.frontDoor.url}/oauth2/result`, { ...credentials(), state })
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

function credentials(): Record<string, string> {
  return { client_id: svc.clientId, client_secret: svc.clientSecret }
}

function revoke(refreshToken: string): Promise<WireAnswer> {
  return postForm(`${office.two.frontDoor.url}/oauth2/revoke`, { ...credentials(), token: refreshToken })
}

function houseRefusal({ status, body, headers }: WireAnswer) {
  return [status, Object.keys(body).toSorted(), body['error_key'], headers.get('retry-after')]
}
