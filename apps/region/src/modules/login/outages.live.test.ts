import {
  callSession,
  logIn,
  logOutWith,
  prepareSignUp,
  readAccount,
  refreshWith,
  signUp,
  startTwoRegions,
  type TestUser,
  tryLogIn,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { turnSwitches } from '../access/index.ts'

let sites: TwoRegions
let front: string
let person: TestUser

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '60000' })
  front = sites.frontDoor.url
  person = await signUp(sites, { userType: 'person', region: 'us' })
})
afterAll(() => sites.close())

async function register(given?: unknown) {
  const body = given ?? (await prepareSignUp({ userType: 'person', region: 'us' })).body
  const response = await callSession(front, 'POST', '/api/account/register', { body })
  return { status: response.status, key: response.body['error_key'], retryAfter: response.headers.get('retry-after') }
}

test('while writes are paused users log in, refresh and log out; registrations are refused [ERR-02]', async () => {
  await turnSwitches(sites.us.platform, { writesPaused: true, outOfOrder: false })
  const session = await logIn(sites, person)
  const refreshed = await refreshWith(front, session.cookies, 'person')
  expect(refreshed.status).toBe(200)
  expect(await readAccount(session.apiUrl, refreshed.token)).toBe(200)
  expect((await logOutWith(front, refreshed.cookies, 'person')).status).toBe(204)
  expect(await readAccount(session.apiUrl, refreshed.token)).toBe(401)
  const { body } = await prepareSignUp({ userType: 'person', region: 'us' })
  expect(await register(body)).toEqual({ status: 503, key: 'db.writes_paused', retryAfter: '30' })
  await turnSwitches(sites.us.platform, { writesPaused: false, outOfOrder: false })
  expect((await register(body)).status).toBe(202)
  expect(await sites.mail.waitForCode(body.email)).toMatch(/^\d{6}$/)
})

test('a region that is out of order opens, refreshes and ends no session, and loses none', async () => {
  const { cookies } = await logIn(sites, person)
  await turnSwitches(sites.us.platform, { writesPaused: false, outOfOrder: true })
  const answers = [
    await tryLogIn(sites, person),
    await refreshWith(front, cookies, 'person'),
    await logOutWith(front, cookies, 'person'),
  ]
  for (const { status, body, headers, setCookies } of answers) {
    expect([status, body['error_key'], setCookies]).toEqual([503, 'platform.out_of_order', []])
    expect(headers.get('retry-after')).toBe('300')
  }
  expect(await register()).toEqual({ status: 503, key: 'platform.out_of_order', retryAfter: '300' })
  await turnSwitches(sites.us.platform, { writesPaused: false, outOfOrder: false })
  expect((await refreshWith(front, cookies, 'person')).status).toBe(200)
})

describe('without Redis', () => {
  test('logins and registrations are refused and open sessions stay; everything works when it is back', async () => {
    const { cookies } = await logIn(sites, person)
    await sites.isolated.redis.kill()
    const refused = await tryLogIn(sites, person)
    expect([refused.status, refused.body['error_key'], refused.headers.get('retry-after')]).toEqual([
      503,
      'rate.unavailable',
      '5',
    ])
    expect(await register()).toEqual({ status: 503, key: 'rate.unavailable', retryAfter: '5' })
    const refreshed = await refreshWith(front, cookies, 'person')
    expect(refreshed.status).toBe(200)
    await sites.isolated.redis.start()
    await waitUntil('logins work again', 10_000, async () => (await tryLogIn(sites, person)).status === 200)
  })
})

describe('a logout while the home region is unreachable', () => {
  test('fails: the cookie stays, and ends the session once the region is back', async () => {
    const session = await logIn(sites, person)
    await sites.us.close()
    const refused = await logOutWith(front, session.cookies, 'person')
    expect([refused.status, refused.body['error_key'], refused.setCookies]).toEqual([503, 'region.unreachable', []])
    const back = await sites.another('us')
    await waitUntil('the region answers', 10_000, async () => (await tryLogIn(sites, person)).status === 200)
    expect(await readAccount(back.url ?? '', session.token)).toBe(200)
    expect((await logOutWith(front, session.cookies, 'person')).status).toBe(204)
    expect(await readAccount(back.url ?? '', session.token)).toBe(401)
  })
})
