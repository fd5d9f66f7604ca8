import { call, forge, mara, northwind, openOffice, type Office } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awaitGuards, putClientState, recordChange } from '../guard/index.ts'

const NO_REDIS = { REDIS_URL: 'redis://127.0.0.1:1', RATE_TOKEN: '2', RATE_DATA: '3' }
const WHOAMI = '/api/company-data/whoami'
let office: Office
let processes: readonly string[]
let front: string

beforeAll(async () => {
  office = await openOffice()
  const started = [await office.two.another('eu', NO_REDIS), await office.two.another('eu', NO_REDIS)]
  processes = started.map(({ url }) => url ?? '')
  front = (await office.two.anotherFrontDoor(NO_REDIS)).url
})
afterAll(() => office.close())

test('without Redis each process limits by itself, by service, client and user, each with the whole quota', async () => {
  const service = await office.two.token(northwind)
  for (const apiUrl of processes) {
    const answers = []
    for (let i = 0; i < 4; i += 1) answers.push(await call({ apiUrl, token: service }, 'GET', WHOAMI))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"data";q=3;w=60')
    expect(answers[3]?.body).toMatchObject({ error_key: 'rate.limited' })
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
    // The company's own login has a bucket of its own.
    expect((await call({ apiUrl, token: office.northwind.token }, 'GET', '/api/account')).status).toBe(200)
  }
})

test('a person who signed in with an app of the service uses none of the quota of the service', async () => {
  const apiUrl = (await office.two.another('eu', NO_REDIS)).url ?? ''
  const app = { apiUrl, token: await tokenOfApp() }
  const statuses = []
  for (let i = 0; i < 4; i += 1) statuses.push((await call(app, 'GET', '/api/oauth/userinfo')).status)
  // The grant is invented; the person's own bucket is empty now.
  expect(statuses).toEqual([401, 401, 401, 429])
  const service = await office.two.token(northwind)
  expect((await call({ apiUrl, token: service }, 'GET', WHOAMI)).status).toBe(200)
})

test('token requests of one address share a bucket', async () => {
  for (const url of [...processes, front]) {
    const statuses = []
    for (let i = 0; i < 3; i += 1) statuses.push((await askToken(url)).status)
    expect(statuses).toEqual([200, 200, 429])
    expect(await (await askToken(url)).json()).toMatchObject({
      error: 'temporarily_unavailable',
      error_key: 'rate.limited',
    })
  }
})

test('routes that check passwords or codes are closed until Redis is back', async () => {
  const [apiUrl = ''] = processes
  const refused = { status: 503, body: { error_key: 'rate.unavailable' } }
  const body = { current_auth_verifier: 'x' }
  expect(await call({ apiUrl, token: office.northwind.token }, 'PUT', '/api/account/password', { body })).toMatchObject(
    refused,
  )
  const login = { email: northwind.email, auth_verifier: northwind.login.authVerifier }
  expect(await call(front, 'POST', '/api/session', { body: login })).toMatchObject(refused)
})

function askToken(url: string): Promise<Response> {
  const { clientId, clientSecret } = northwind
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  return fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
}

async function tokenOfApp(): Promise<string> {
  const { database, clock, ids } = office.two.eu.platform
  const clientId = ids.clientId('idw')
  const { companyId, serviceId } = northwind
  const patterns = ['/api/oauth/userinfo']
  const revision = await database.transaction(async (tx) => {
    await putClientState(tx, { clientId, kind: 'idw', companyId, serviceId, epoch: 1, patterns })
    return recordChange(tx, clientId, clock.now())
  })
  await awaitGuards(database, revision)
  return forge(office.two, { sub: mara.userId, client_id: clientId, rgn: 'eu', ut: 'person', ep: 1, sid: 'eu.a-grant' })
}
