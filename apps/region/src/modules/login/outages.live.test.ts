import {
  actFor,
  addDelegate,
  callSession,
  deriveVerifier,
  logIn,
  logOutWith,
  newPassword,
  openWorld,
  prepareSignUp,
  readAccount,
  refreshWith,
  scaled,
  tryLogIn,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { turnSwitches } from '../access/index.ts'

const IN_TIME = { timeout: scaled(20_000) }

const world = await openWorld({ own: true })
const [person, company] = [await world.person(), await world.company({ region: 'us' })]
const delegate = await world.person({ region: 'eu' })
await addDelegate(company, delegate)
const front = world.frontDoor.url

async function register(given?: unknown) {
  const body = given ?? (await prepareSignUp({ userType: 'person', region: 'us' })).body
  const response = await callSession(front, 'POST', '/api/account/register', { body })
  return { status: response.status, key: response.body['error_key'], retryAfter: response.headers.get('retry-after') }
}

const loginStatus = async () => (await tryLogIn(world, person)).status

test('while writes are paused users log in, refresh and log out; registrations are refused [ERR-02]', async () => {
  await turnSwitches(world.us.platform, { writesPaused: true, outOfOrder: false })
  const session = await logIn(world, person)
  const refreshed = await refreshWith(front, session.cookies, 'person')
  expect(refreshed.status).toBe(200)
  expect(await readAccount(session.apiUrl, refreshed.token)).toBe(200)
  expect((await logOutWith(front, refreshed.cookies, 'person')).status).toBe(204)
  expect(await readAccount(session.apiUrl, refreshed.token)).toBe(401)
  const { body } = await prepareSignUp({ userType: 'person', region: 'us' })
  expect(await register(body)).toEqual({ status: 503, key: 'db.writes_paused', retryAfter: '30' })
  await turnSwitches(world.us.platform, { writesPaused: false, outOfOrder: false })
  expect((await register(body)).status).toBe(202)
  expect(await world.mail.waitForCode(body.email)).toMatch(/^\d{6}$/)
})

test('a region that is out of order opens, refreshes and ends no session, and loses none', async () => {
  const { cookies } = await logIn(world, person)
  await turnSwitches(world.us.platform, { writesPaused: false, outOfOrder: true })
  const answers = [
    await tryLogIn(world, person),
    await refreshWith(front, cookies, 'person'),
    await logOutWith(front, cookies, 'person'),
  ]
  for (const { status, body, headers, setCookies } of answers) {
    expect([status, body['error_key'], setCookies]).toEqual([503, 'platform.out_of_order', []])
    expect(headers.get('retry-after')).toBe('300')
  }
  expect(await register()).toEqual({ status: 503, key: 'platform.out_of_order', retryAfter: '300' })
  await turnSwitches(world.us.platform, { writesPaused: false, outOfOrder: false })
  expect((await refreshWith(front, cookies, 'person')).status).toBe(200)
})

describe('without Redis', () => {
  test('logins and registrations are refused and open sessions stay; everything works when it is back', async () => {
    const { cookies } = await logIn(world, person)
    await world.isolated.redis.kill()
    const refused = await tryLogIn(world, person)
    expect([refused.status, refused.body['error_key'], refused.headers.get('retry-after')]).toEqual([
      503,
      'rate.unavailable',
      '5',
    ])
    expect(await register()).toEqual({ status: 503, key: 'rate.unavailable', retryAfter: '5' })
    const refreshed = await refreshWith(front, cookies, 'person')
    expect(refreshed.status).toBe(200)
    await world.isolated.redis.start()
    await expect.poll(loginStatus, IN_TIME).toBe(200)
  })
})

/** The process of the region us. The tests below close it and start another; no account is made in us after them. */
let us = world.us

async function startUs(): Promise<void> {
  us = await world.another('us')
  await expect.poll(loginStatus, IN_TIME).toBe(200)
}

describe('a logout while the home region is unreachable', () => {
  test('fails: the cookie stays, and ends the session once the region is back', async () => {
    const session = await logIn(world, person)
    await us.close()
    const refused = await logOutWith(front, session.cookies, 'person')
    expect([refused.status, refused.body['error_key'], refused.setCookies]).toEqual([503, 'region.unreachable', []])
    await startUs()
    expect(await readAccount(us.url ?? '', session.token)).toBe(200)
    expect((await logOutWith(front, session.cookies, 'person')).status).toBe(204)
    expect(await readAccount(us.url ?? '', session.token)).toBe(401)
  })
})

test('a logout fails while the region of the company is unreachable, and succeeds when repeated later', async () => {
  const own = await delegate.logIn()
  const acting = await actFor(world, company, own.cookies)
  expect(await readAccount(us.url ?? '', acting.token)).toBe(200)
  await us.close()
  const refused = await logOutWith(front, acting.cookies, 'person')
  expect([refused.status, refused.body['error_key'], refused.setCookies]).toEqual([503, 'region.unreachable', []])
  expect(await readAccount(own.apiUrl, own.token)).toBe(401)
  await startUs()
  expect((await logOutWith(front, acting.cookies, 'person')).status).toBe(204)
  expect(await readAccount(us.url ?? '', acting.token)).toBe(401)
})

test('a deletion fails while a company in another region still accepts a token of the user', async () => {
  const acting = await actFor(world, company, delegate.cookies)
  expect(await readAccount(us.url ?? '', acting.token)).toBe(200)
  expect(await delegate.calls('POST', '/api/account/delete-request')).toMatchObject({ status: 202 })
  const body = { code: await world.mail.waitForCode(delegate.email, 'deletion') }
  await us.close()
  const refused = await delegate.calls('POST', '/api/account/confirm-delete', { body })
  expect(refused).toMatchObject({ status: 503, body: { error_key: 'region.unreachable' } })
  await startUs()
  expect(await delegate.calls('POST', '/api/account/confirm-delete', { body })).toMatchObject({ status: 200 })
  expect(await readAccount(us.url ?? '', acting.token)).toBe(401)
})

test('without the bus a change of the password is complete here and reaches the directory later', async () => {
  const owner = await world.person({ region: 'eu' })
  const { body } = await newPassword(owner, 'another password')
  await world.isolated.nats.eu.kill()
  expect(await owner.calls('PUT', '/api/account/password', { body })).toMatchObject({ status: 200 })
  await world.isolated.nats.eu.start()
  const { email } = owner
  await expect.poll(() => deriveVerifier(world, email, 'another password'), IN_TIME).toBe(body.auth_verifier)
  const status = async () => (await tryLogIn(world, { email, authVerifier: body.auth_verifier })).status
  await expect.poll(status, IN_TIME).toBe(200)
})
