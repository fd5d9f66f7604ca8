import { askToken, callsWith, forge, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { awaitGuards, putClientState, recordChange } from '../guard/index.ts'

const NO_REDIS = { REDIS_URL: 'redis://127.0.0.1:1', RATE_TOKEN: '2', RATE_DATA: '3' }
const WHOAMI = '/api/company-data/whoami'

const world = await openWorld()
const { northwind, mara } = await world.personas('northwind', 'mara')
const processes = [await anotherUrl(), await anotherUrl()]
const front = (await world.anotherFrontDoor(NO_REDIS)).url

test('without Redis each process limits by itself, by service, client and user, each with the whole quota', async () => {
  for (const url of processes) {
    const answers = []
    for (let i = 0; i < 4; i += 1) answers.push(await northwind.data('GET', WHOAMI, { url }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"data";q=3;w=60')
    expect(answers[3]?.body).toMatchObject({ error_key: 'rate.limited' })
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
    // The company's own login has a bucket of its own.
    expect((await northwind.calls('GET', '/api/account', { url })).status).toBe(200)
  }
})

test('a person who signed in with an app of the service uses none of the quota of the service', async () => {
  const url = await anotherUrl()
  const app = callsWith(url, await tokenOfApp())
  const statuses = []
  for (let i = 0; i < 4; i += 1) statuses.push((await app('GET', '/api/oauth/userinfo')).status)
  // The grant is invented; the person's own bucket is empty now.
  expect(statuses).toEqual([401, 401, 401, 429])
  expect((await northwind.data('GET', WHOAMI, { url })).status).toBe(200)
})

test('token requests of one address share a bucket', async () => {
  for (const url of [...processes, front]) {
    const ask = () => askToken({ frontDoor: { url } }, northwind.clientId, northwind.clientSecret)
    const statuses = []
    for (let i = 0; i < 3; i += 1) statuses.push((await ask()).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await ask()).body).toMatchObject({ error: 'temporarily_unavailable', error_key: 'rate.limited' })
  }
})

test('routes that check passwords or codes are closed until Redis is back', async () => {
  const [url = ''] = processes
  const refused = { status: 503, body: { error_key: 'rate.unavailable' } }
  const body = { current_auth_verifier: 'x' }
  expect(await northwind.calls('PUT', '/api/account/password', { body, url })).toMatchObject(refused)
  const login = { email: northwind.email, auth_verifier: northwind.login.authVerifier }
  expect(await world.anonymous('POST', '/api/session', { body: login, url: front })).toMatchObject(refused)
})

async function anotherUrl(): Promise<string> {
  return (await world.another('eu', NO_REDIS)).url ?? ''
}

async function tokenOfApp(): Promise<string> {
  const { database, clock, ids } = world.eu.platform
  const clientId = ids.clientId('idw')
  const { companyId, serviceId } = northwind
  const patterns = ['/api/oauth/userinfo']
  const revision = await database.transaction(async (tx) => {
    await putClientState(tx, { clientId, kind: 'idw', companyId, serviceId, epoch: 1, patterns })
    return recordChange(tx, clientId, clock.now())
  })
  await awaitGuards(database, revision)
  return forge(world, { sub: mara.userId, client_id: clientId, rgn: 'eu', ut: 'person', ep: 1, sid: 'eu.a-grant' })
}
