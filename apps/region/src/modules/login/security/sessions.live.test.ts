import { type Account, callSession, callsWith, logIn, openWorld, refreshWith, softDeviceKey } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const PATH = '/api/account/sessions'
const DEVICES = '/api/account/trusted-devices'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const world = await openWorld()
const service = await world.service()
/** Behind a proxy, which reports the source address. */
const frontDoorUrl = (await world.anotherFrontDoor({ TRUSTED_PROXIES: '127.0.0.1' })).url ?? ''

type Calls = Account['calls']

async function sessionsOf(calls: Calls) {
  const { status, body } = await calls('GET', PATH)
  expect(status).toBe(200)
  return body['items'] as Record<string, unknown>[]
}

test.each(['eu', 'us'] as const)(
  'a person in %s sees each login: app, browser, network, times, and which one asks',
  async (region) => {
    const owner = await world.person({ region })
    const elsewhere = await logIn(world, owner, { userAgent: BROWSER, from: '203.0.113.77', frontDoorUrl })
    const at = world.time()
    const expected = {
      id: elsewhere.sid,
      app: 'person_app',
      device_name: BROWSER,
      address: '203.0.113.0/24',
      created_at: at,
      last_used_at: at,
      current: false,
    }
    const list = await sessionsOf(owner.calls)
    expect(list.map(({ current }) => current)).toEqual([true, false])
    expect(list[1]).toEqual(expected)
    const seenThere = await sessionsOf(callsWith(elsewhere.apiUrl, elsewhere.token))
    expect(seenThere[1]).toEqual({ ...expected, current: true })
    expect(
      await world.rows('select 1 from login.session_family where address like $1', ['203.0.113.77%'], region),
    ).toEqual([])
  },
)

test('a refresh moves the last use and the network', async () => {
  const owner = await world.person({ region: 'eu' })
  const session = await logIn(world, owner, { from: '203.0.113.77', frontDoorUrl })
  const opened = world.time()
  world.clock.advance(60_000)
  const { cookies } = session
  const refreshed = { body: { user_type: 'person' }, cookies, from: '2001:db8:7:1::1' }
  expect((await callSession(frontDoorUrl, 'POST', '/api/session/refresh', refreshed)).status).toBe(200)
  const [, seen] = await sessionsOf(owner.calls)
  expect(seen).toMatchObject({ created_at: opened, last_used_at: world.time(), address: '2001:db8:7::/48' })
})

test('users of companies have the list too; clients do not reach it', async () => {
  const company = await world.company()
  expect(await sessionsOf(company.portal)).toMatchObject([{ app: 'portal_web', current: true }])
  const client = await company.accountClient(['service_management'])
  expect(await client.calls('GET', PATH)).toMatchObject({ status: 403 })
  expect(await service.data('GET', PATH)).toMatchObject({ status: 403 })
  expect(await world.anonymous('GET', PATH)).toMatchObject({ status: 401 })
})

test('a session ends everywhere, once, and only by its account', async () => {
  const owner = await world.person({ region: 'eu' })
  const other = await world.person({ region: 'eu' })
  const session = await logIn(world, owner)
  const there = callsWith(session.apiUrl, session.token)
  const missing = await owner.calls('DELETE', `${PATH}/019a0000-0000-7000-8000-00000000dead`)
  expect([missing.status, missing.body['error_key']]).toEqual([404, 'session.not_found'])
  for (const stranger of [other.calls, callsWith(other.apiUrl, other.token)]) {
    expect((await stranger('DELETE', `${PATH}/${session.sid}`)).text).toBe(missing.text)
  }
  expect((await world.anonymous('DELETE', `${PATH}/${session.sid}`)).status).toBe(401)
  expect((await there('GET', PATH)).status).toBe(200)
  expect(await owner.calls('DELETE', `${PATH}/${session.sid}`)).toMatchObject({ status: 204 })
  expect((await there('GET', PATH)).status).toBe(401)
  expect((await refreshWith(world.frontDoor.url, session.cookies, 'person')).status).toBe(401)
  for (const id of [session.sid, 'no-id-at-all']) {
    expect((await owner.calls('DELETE', `${PATH}/${id}`)).text).toBe(missing.text)
  }
  expect(await sessionsOf(owner.calls)).toHaveLength(1)
})

test('the session of the call ends as by a logout', async () => {
  const owner = await world.person({ region: 'us' })
  const own = callsWith(owner.apiUrl, owner.token)
  const current = (await sessionsOf(own)).find((session) => session['current'] === true)
  expect(await own('DELETE', `${PATH}/${String(current?.['id'])}`)).toMatchObject({ status: 204 })
  expect((await own('GET', PATH)).status).toBe(401)
})

test('a device is renamed by its owner, and the sessions that are used on it have its name', async () => {
  const owner = await world.person({ region: 'eu' })
  const device = await addDeviceKey(owner)
  const path = `${DEVICES}/${String(device['id'])}`
  const session = await logIn(world, owner, { deviceId: String(device['id']), userAgent: BROWSER })
  const renamed = await owner.calls('PUT', path, { body: { name: ' Kitchen tablet ' } })
  expect(renamed).toMatchObject({ status: 200, body: { ...device, name: 'Kitchen tablet' } })
  expect((await owner.calls('PUT', path, { body: { name: 'Kitchen tablet' } })).text).toBe(renamed.text)
  const list = await sessionsOf(owner.calls)
  expect(list.find(({ id }) => id === session.sid)).toMatchObject({ device_name: 'Kitchen tablet' })
  for (const name of ['', '  ', 'n'.repeat(201)]) {
    expect(await owner.calls('PUT', path, { body: { name } })).toMatchObject({ status: 400 })
  }
  const missing = await owner.calls('PUT', `${DEVICES}/019a0000-0000-7000-8000-00000000dead`, {
    body: { name: 'Mine' },
  })
  expect(missing.status).toBe(404)
  const other = await world.person({ region: 'eu' })
  expect((await other.calls('PUT', path, { body: { name: 'Mine' } })).text).toBe(missing.text)
  expect((await world.anonymous('PUT', path, { body: { name: 'Mine' } })).status).toBe(401)
})

test('where a session was used is erased when it ends', async () => {
  const owner = await world.person({ region: 'eu' })
  const session = await logIn(world, owner, { userAgent: BROWSER, from: '203.0.113.77', frontDoorUrl })
  await owner.calls('DELETE', `${PATH}/${session.sid}`)
  const sql = 'select user_agent, address from login.session_family where id = $1'
  expect(await world.rows(sql, [session.sid], 'eu')).toEqual([{ user_agent: null, address: null }])
})

async function addDeviceKey(owner: Account): Promise<Record<string, unknown>> {
  const key = softDeviceKey()
  const { body } = await owner.calls('POST', `${DEVICES}/options`, { body: { kind: 'device_key' } })
  const challenge = String(body['challenge'])
  const proof = { public_key: key.publicKey, signature: key.sign(challenge) }
  const device = { auth_verifier: owner.authVerifier, kind: 'device_key', name: 'My phone', challenge, ...proof }
  const added = await owner.calls('POST', DEVICES, { body: device })
  expect(added.status).toBe(201)
  return added.body
}
