import {
  askToken,
  type Calls,
  callsWith,
  clientCalls,
  keyOf,
  logIn,
  makeService,
  newCompany,
  newOwner,
  serviceBody,
  signUp,
  startWithoutLimits,
  type TestCompany,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const DAY_MS = 86_400_000
let two: TwoRegions
let company: TestCompany
let portal: Calls

beforeAll(async () => {
  two = await startWithoutLimits()
  company = await newCompany(two)
  ;({ portal } = company)
})
afterAll(() => two.close())

async function newPerson(): Promise<Calls> {
  const { apiUrl, token } = await newOwner(two, { region: 'us' })
  return callsWith(apiUrl, token)
}

async function connect(person: Calls, calls: Calls, path: string): Promise<string> {
  const { body: account } = await calls('GET', '/api/account')
  const { body: service } = await calls('GET', path)
  const code = `${String(account['share_code'])}/${String(service['share_code'])}`
  const made = await person('POST', '/api/company-connections', { body: { code, decisions: [] } })
  expect([made.status, made.text]).toEqual([201, expect.any(String)])
  return String(made.body['id'])
}

async function isGone(person: Calls, connectionId: string): Promise<boolean> {
  return (await person('GET', `/api/company-connections/${connectionId}`)).status === 404
}

describe('DELETE /api/services/{id}', () => {
  test('ends the service, its data client and its connections in every region', async () => {
    const path = await makeService(portal, { share_code: 'ENDING' })
    const { body: client } = await portal('POST', `${path}/client`)
    const service = await clientCalls(two, client['client_id'], client['client_secret'])
    const [one, other] = [await newPerson(), await newPerson()]
    const connections = [
      [one, await connect(one, portal, path)],
      [other, await connect(other, portal, path)],
    ] as const
    const before = (await portal('GET', '/api/services')).body['total']
    expect((await portal('DELETE', path)).status).toBe(204)
    for (const tail of ['', '/private-key', '/request-fields', '/share-fields', '/logs', '/client']) {
      const response = await portal('GET', `${path}${tail}`)
      expect([tail, response.status, keyOf(response)]).toEqual([tail, 404, 'services.not_found'])
    }
    expect(keyOf(await portal('DELETE', path))).toBe('services.not_found')
    expect((await portal('GET', '/api/services')).body['total']).toBe(Number(before) - 1)
    expect(keyOf(await service('GET', '/api/company-data/whoami'))).toBe('auth.token_invalid')
    const { body: account } = await portal('GET', '/api/account')
    const code = `${String(account['share_code'])}/ENDING`
    const late = await one('GET', `/api/company-connections/lookup/${code}`)
    expect(late.status).toBe(404)
    await waitUntil('the connections are gone', 20_000, async () => {
      const gone = await Promise.all(connections.map(([person, id]) => isGone(person, id)))
      return gone.every(Boolean)
    })
  }, 60_000)

  test('frees the share code when the last connection has ended', async () => {
    const path = await makeService(portal, { share_code: 'AGAIN' })
    await connect(await newPerson(), portal, path)
    expect((await portal('DELETE', path)).status).toBe(204)
    const body = await serviceBody({ share_code: 'AGAIN' })
    await waitUntil('the code is free', 20_000, async () => {
      const response = await portal('POST', '/api/services', { body })
      if (response.status !== 201) expect(keyOf(response)).toBe('services.share_code_taken')
      return response.status === 201
    })
  }, 60_000)

  test('is part of the erasure of the company’s account', async () => {
    const { user, portal: own } = await newCompany(two)
    const path = await makeService(own)
    const person = await newPerson()
    const connectionId = await connect(person, own, path)
    await two.eu.operations.eraseAccount(user.userId)
    expect((await own('GET', path)).status).toBe(401)
    await waitUntil('the connection is gone', 20_000, () => isGone(person, connectionId))
  }, 60_000)
})

describe('the level of the company', () => {
  test('gates the registration of a data client, and its tokens seven days after a move to free [SERVICE-15]', async () => {
    const user = await signUp(two, { userType: 'company', region: 'eu' })
    const { setLevel } = two.eu.operations
    const { apiUrl, token } = await logIn(two, user)
    const own = callsWith(apiUrl, token)
    const path = await makeService(own)
    const refused = await own('POST', `${path}/client`)
    expect([refused.status, keyOf(refused), refused.body['required_level']]).toEqual([
      403,
      'account.level_required',
      'basic',
    ])
    await setLevel(user.userId, 'basic')
    const { status, body } = await own('POST', `${path}/client`)
    expect(status).toBe(201)
    const request = () => askToken(two, body['client_id'], body['client_secret'])
    await setLevel(user.userId, 'free')
    two.clock.advance(7 * DAY_MS - 1)
    expect((await request()).status).toBe(200)
    two.clock.advance(1)
    const late = await request()
    expect([late.status, keyOf(late)]).toEqual([400, 'account.level_required'])
  })
})
