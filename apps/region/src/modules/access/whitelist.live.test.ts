import { type ClientKind, parseClientId, type RegionCode, type ServiceId, type UserId } from '@sealpost/kernel'
import { allOperations } from '@sealpost/protocol'
import { type Answer, type Calls, callsWith, claimsOf, forge, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { awaitGuards, findClientState, putClientState, recordChange } from './guard/index.ts'

const EU = 'eu' as RegionCode

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()
const serviceClient = northwind.data
const client = (capabilities: readonly string[]) => northwind.accountClient(capabilities)

const outcome = ({ status, body }: Answer) => [status, body['error_key']]
const FORBIDDEN = [403, 'auth.client_endpoint_forbidden']
const OPEN = [200, undefined]

describe('an account client reaches', () => {
  test.each([
    ['service_management', ['/api/services/SERVICE/client', '/api/account/recovery-copies'], 'WHITELIST-12'],
    ['oauth_apps', ['/api/account/oauth-apps', '/api/account/recovery-key'], 'WHITELIST-16'],
    ['delegate_management', ['/api/delegates'], 'WHITELIST-17'],
  ])('the paths of %s, and only with it: %s [%s]', async (name, paths) => {
    const [granted, other] = [await client([name]), await client(['company_profile_fields', 'customer_connections'])]
    for (const path of paths.map((one) => one.replace('SERVICE', northwind.serviceId))) {
      expect(outcome(await granted.calls('GET', path))).toEqual(OPEN)
      for (const closed of [other.calls, serviceClient]) expect(outcome(await closed('GET', path))).toEqual(FORBIDDEN)
    }
  })

  test('nothing outside its groups, and is told which of them is missing; other callers are not', async () => {
    const { calls } = await client(['oauth_apps'])
    for (const path of ['/api/delegates', '/api/delegates/nothing/here']) {
      expect(await calls('GET', path)).toMatchObject({
        status: 403,
        body: {
          error: 'Client not authorized for this endpoint',
          error_key: 'auth.client_endpoint_forbidden',
          required_capability: 'delegate_management',
        },
      })
    }
    for (const refused of [await calls('GET', '/api/account/password'), await serviceClient('GET', '/api/delegates')]) {
      expect(outcome(refused)).toEqual(FORBIDDEN)
      expect(refused.body).not.toHaveProperty('required_capability')
    }
  })

  test('with several groups the paths of each of them, and always the baseline [WHITELIST-18]', async () => {
    const both = await client(['delegate_management', 'oauth_apps'])
    for (const path of ['/api/delegates', '/api/account/oauth-apps', '/api/account', '/api/profile'])
      expect(outcome(await both.calls('GET', path))).toEqual(OPEN)
    for (const path of ['/api/account', '/api/profile'])
      expect(outcome(await (await client([])).calls('GET', path))).toEqual(OPEN)
  })
})

/**
 * A granted path without a route answers 404; a path that is not granted answers 403, whether or not it has a route.
 */
const NOTHING_THERE = [404, 'request.not_found']

describe('a service client is granted', () => {
  test.each([
    ['the whole data API', ['/api/company-data/a', '/api/company-data/flow-runs/a/answers'], 'WHITELIST-02'],
    ['the field catalog', ['/api/contact-fields', '/api/contact-fields/a'], 'WHITELIST-03'],
    ['public keys', ['/api/keys/ABC234', '/api/keys/ABC234/MAIN'], 'WHITELIST-05'],
    ['challenges', ['/api/service-2fa/challenges', '/api/service-2fa/challenges/a'], 'WHITELIST-06'],
  ])('%s, and an account client without capabilities is not: %s [%s]', async (_what, paths) => {
    const other = await client([])
    for (const path of paths) {
      expect(outcome(await serviceClient('GET', path))).not.toEqual(FORBIDDEN)
      expect(outcome(await other.calls('GET', path))).toEqual(FORBIDDEN)
    }
  })

  test('the field types by a pattern of their own, beside that of the field catalog and not below a common one [WHITELIST-04]', async () => {
    expect(outcome(await serviceClient('GET', '/api/contact-field-types'))).toEqual(OPEN)
    for (const path of ['/api/contact-field', '/api/contact-field-a', '/api/contact-data/a'])
      expect(outcome(await serviceClient('GET', path))).toEqual(FORBIDDEN)
    const { patterns } = await stateOf(await world.token(northwind))
    expect(patterns.filter((pattern) => pattern.startsWith('/api/contact'))).toEqual([
      '/api/contact-fields*',
      '/api/contact-field-types*',
    ])
    const types = await olderClient(['/api/contact-field-types*'])
    expect(outcome(await types('GET', '/api/contact-field-types'))).toEqual(OPEN)
    expect(outcome(await types('GET', '/api/contact-fields'))).toEqual(FORBIDDEN)
    const fields = await olderClient(['/api/contact-fields*'])
    expect(outcome(await fields('GET', '/api/contact-fields'))).toEqual(OPEN)
    expect(outcome(await fields('GET', '/api/contact-field-types'))).toEqual(FORBIDDEN)
  })

  test('challenges by a pattern of their own: a client without it cannot raise one [WHITELIST-24]', async () => {
    const raise = { body: { share_code: 'ZZZZZZ', idempotency_key: 'whitelist' } }
    const without = await olderClient(['/api/company-data/*'])
    expect(outcome(await without('POST', '/api/service-2fa/challenges', raise))).toEqual(FORBIDDEN)
    const granted = await olderClient(['/api/service-2fa/*'])
    expect(outcome(await granted('POST', '/api/service-2fa/challenges', raise))).toEqual([
      404,
      'twofa.person_not_found',
    ])
  })

  test('each of them by its own pattern: a row without one of them loses only its paths', async () => {
    const older = await olderClient(['/api/contact-fields*'])
    expect(outcome(await older('GET', '/api/contact-fields'))).not.toEqual(FORBIDDEN)
    for (const path of [
      '/api/contact-field-types',
      '/api/keys/ABC234',
      '/api/service-2fa/challenges',
      '/api/company-data/whoami',
    ])
      expect(outcome(await older('GET', path))).toEqual(FORBIDDEN)
  })
})

/** Calls of a service client whose row has these patterns. */
async function olderClient(patterns: readonly string[]): Promise<Calls> {
  const clientId = await addClient('svc', patterns)
  const claims = { sub: clientId, client_id: clientId, rgn: EU, ut: 'company', ep: 1, sid: 'an older client' }
  return callsWith(northwind.apiUrl, await forge(world, claims))
}

describe('an account client is granted', () => {
  test('the baseline without any capability, exactly [WHITELIST-10]', async () => {
    const bare = await client([])
    const state = await stateOf(bare.token)
    expect(state.patterns.toSorted()).toEqual([
      '/api/account',
      '/api/contact-field-types*',
      '/api/profile',
      '/oauth2/token',
    ])
    for (const path of ['/api/account', '/api/profile']) expect(outcome(await bare.calls('GET', path))).toEqual(OPEN)
    expect(outcome(await bare.calls('GET', '/api/contact-field-types'))).not.toEqual(FORBIDDEN)
  })

  test('no sub-path of its baseline: account and display name are all it reads and changes there [WHITELIST-11]', async () => {
    const bare = await client([])
    const renamed = await bare.calls('PUT', '/api/profile', { body: { display_name: 'Northwind, renamed' } })
    expect([renamed.status, renamed.body['display_name']]).toEqual([200, 'Northwind, renamed'])
    for (const path of ['/api/account/clients', '/api/account/a', '/api/profile/keys', '/api/profile/a'])
      expect(outcome(await bare.calls('GET', path))).toEqual(FORBIDDEN)
  })

  test.each([
    [
      'company_profile_fields',
      ['/api/contact-data/a', '/api/contact-fields', '/api/contact-fields/a', '/api/photos'],
      'WHITELIST-14',
    ],
    ['customer_connections', ['/api/company-connections/a', '/api/customer/a', '/api/keys/ABC234'], 'WHITELIST-15'],
  ])('the paths of %s, and only with it: %s [%s]', async (name, paths) => {
    const granted = await client([name])
    const other = await client(['service_management', 'oauth_apps', 'delegate_management'])
    for (const path of paths) {
      expect(outcome(await granted.calls('GET', path))).not.toEqual(FORBIDDEN)
      expect(outcome(await other.calls('GET', path))).toEqual(FORBIDDEN)
    }
  })
})

test('without a route a granted path answers 404 and any other 403', async () => {
  expect(outcome(await serviceClient('GET', '/api/company-data/no-such-thing'))).toEqual(NOTHING_THERE)
  expect(outcome(await serviceClient('GET', '/api/no-such-thing'))).toEqual(FORBIDDEN)
  expect(outcome(await northwind.calls('GET', '/api/no-such-thing'))).toEqual(NOTHING_THERE)
  expect(outcome(await world.anonymous('GET', '/api/no-such-thing'))).toEqual(NOTHING_THERE)
  expect(outcome(await serviceClient('GET', '/api/company-data/whoami/'))).toEqual(NOTHING_THERE)
})

describe('whatever patterns its row has, no client reaches', () => {
  const never = [
    ['/api/account/password', 'WHITELIST-19'],
    ['/api/account/email', 'WHITELIST-19'],
    ['/api/account/2fa', 'WHITELIST-20'],
    ['/api/account/trusted-devices', 'WHITELIST-20'],
    ['/api/account/delete-request', 'WHITELIST-21'],
    ['/api/account/confirm-delete', 'WHITELIST-21'],
    ['/api/account-key', 'WHITELIST-23'],
    ['/api/profile/keys', 'WHITELIST-22'],
    ['/api/profile/migrate-region', 'WHITELIST-22'],
  ] as const
  test.each(never)('%s [%s]', async (path) => {
    const greedy = await client([])
    await grantEverything(greedy.token)
    // The pattern is in force: a path that nothing else closes is open now.
    expect(outcome(await greedy.calls('GET', '/api/delegates'))).toEqual(OPEN)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
      expect(outcome(await greedy.calls(method, path, body))).toEqual(FORBIDDEN)
    }
  })

  test('the company-data surface as an account client, or another account as any client', async () => {
    const greedy = await client([])
    await grantEverything(greedy.token)
    expect(outcome(await greedy.calls('GET', '/api/company-data/whoami'))).toEqual(FORBIDDEN)
    expect((await greedy.calls('GET', '/api/account')).body['id']).toBe(northwind.companyId)
  })
})

test('a sign-in app has its own two paths; every other one is forbidden [WHITELIST-27]', async () => {
  const clientId = await addClient('idw', ['/api/oauth/userinfo', '/api/oauth/plugin-pass'])
  const claims = { sub: mara.userId, client_id: clientId, rgn: EU, ut: 'person', ep: 1, sid: 'eu.a-grant' }
  const app = callsWith(northwind.apiUrl, await forge(world, claims))
  const closed = allOperations.filter(
    ({ callers, path, document }) =>
      callers.length > 0 && document !== 'front-door' && path.startsWith('/api/') && !path.includes('{'),
  )
  expect(closed.length).toBeGreaterThan(10)
  for (const { method, path } of closed) {
    const expected = path.startsWith('/api/oauth/') ? expect.not.arrayContaining([FORBIDDEN[1]]) : FORBIDDEN
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
    expect(outcome(await app(method, path, body))).toEqual(expected)
  }
})

describe('a delegate', () => {
  test('acts for the company in its home region within the role, until it is removed', async () => {
    const second = await world.another('eu')
    const made = await northwind.calls('POST', '/api/delegates', {
      body: { share_code: harborline.shareCode, role: 'operator', services: [northwind.serviceId] },
    })
    expect(made.status).toBe(201)
    const token = await delegateToken(harborline.companyId)
    const acting = callsWith(northwind.apiUrl, token)
    const places = [northwind.apiUrl, second.url ?? '']
    for (const url of places) {
      const account = await acting('GET', '/api/account', { url })
      expect([account.status, account.body['id']]).toEqual([200, northwind.companyId])
      // Routes for an admin, for the company itself, and for clients only.
      const path = `/api/services/${northwind.serviceId}/client`
      expect(outcome(await acting('DELETE', path, { url }))).toEqual(FORBIDDEN)
      expect(outcome(await acting('GET', '/api/account/2fa', { url }))).toEqual(FORBIDDEN)
      expect(outcome(await acting('GET', '/api/company-data/whoami', { url }))).toEqual([403, 'company_data.no_client'])
    }
    const away = await acting('GET', '/api/account', { url: harborline.apiUrl })
    expect([away.status, away.body['api_url']]).toEqual([421, northwind.apiUrl])
    expect((await northwind.calls('DELETE', `/api/delegates/${String(made.body['id'])}`)).status).toBe(204)
    for (const url of places)
      expect(outcome(await acting('GET', '/api/account', { url }))).toEqual([401, 'auth.token_invalid'])
  })
})

function delegateToken(userId: UserId): Promise<string> {
  const claims = { sub: userId, client_id: 'portal_web', acc: northwind.companyId, rgn: EU, ut: 'company', ep: 0 }
  return forge(world, { ...claims, sid: 'a delegate' })
}

/** A row with a pattern that matches every path. */
async function grantEverything(token: string): Promise<void> {
  const state = await stateOf(token)
  await change(async (tx) => {
    await putClientState(tx, { ...state, patterns: ['*'] })
    return state.clientId
  })
}

async function stateOf(token: string) {
  const clientId = parseClientId(String(claimsOf(token)['client_id']))
  if (clientId === null) throw new Error('no client')
  const state = await world.eu.platform.database.read((read) => findClientState(read, clientId))
  if (state === null) throw new Error('no such client')
  return state
}

async function addClient(kind: ClientKind, patterns: readonly string[]): Promise<string> {
  const clientId = world.eu.platform.ids.clientId(kind)
  await change(async (tx) => {
    await putClientState(tx, {
      clientId,
      kind,
      companyId: northwind.companyId,
      serviceId: kind === 'svc' ? world.eu.platform.ids.uuid<ServiceId>() : null,
      epoch: 1,
      patterns,
    })
    return clientId
  })
  return clientId
}

type Tx = Parameters<typeof putClientState>[0]

async function change(write: (tx: Tx) => Promise<string>): Promise<void> {
  const { database, clock } = world.eu.platform
  const revision = await database.transaction(async (tx) => recordChange(tx, await write(tx), clock.now()))
  await awaitGuards(database, revision)
}
