import { createCryptoPlatform, importOpeningKey, importSealingKey, openWrapper, sealWrapper } from '@sealpost/crypto'
import {
  type Calls,
  callSession,
  callsWith,
  dataClientOf,
  enableCodes,
  keyOf,
  type LoggedIn,
  logIn,
  makeService,
  newCompany,
  newOwner,
  newServiceKey,
  openServiceKey,
  type Owner,
  serviceBody,
  startWithoutLimits,
  type TestCompany,
  type TestUser,
  type TwoRegions,
} from '@sealpost/testkit'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let two: TwoRegions
let company: TestCompany
let portal: Calls

beforeAll(async () => {
  two = await startWithoutLimits()
  company = await newCompany(two)
  ;({ portal } = company)
})
afterAll(() => two.close())

/** Calls of a user of another region who works in the company's portal. */
async function delegateCalls(user: Owner, role: 'admin' | 'operator', services: readonly string[]): Promise<Calls> {
  const account = await user.call('GET', '/api/account')
  const added = await portal('POST', '/api/delegates', {
    body: { share_code: account.body['share_code'], role, services },
  })
  expect(added.status).toBe(201)
  return actFor(await logIn(two, user.user))
}

async function actFor({ cookies }: LoggedIn): Promise<Calls> {
  const body = { user_type: 'person', acting_for: company.user.userId }
  const response = await callSession(two.frontDoor.url, 'POST', '/api/session/refresh', { body, cookies })
  expect(response.status).toBe(200)
  return callsWith(String(response.body['api_url']), String(response.body['access_token']))
}

const idOf = (path: string): string => path.split('/').at(-1) ?? ''

describe('a delegate', () => {
  test('sees the services that it has access to and no others', async () => {
    const [open, closed] = [await makeService(portal, { name: 'Open' }), await makeService(portal)]
    const operator = await delegateCalls(await newOwner(two, { region: 'us' }), 'operator', [idOf(open)])
    const { body } = await operator('GET', '/api/services')
    expect(body).toMatchObject({ total: 1, items: [{ id: idOf(open), name: 'Open' }], next_cursor: null })
    expect((await operator('GET', open)).status).toBe(200)
    expect((await operator('GET', `${open}/private-key`)).status).toBe(200)
    const missing = await operator('GET', '/api/services/019a0000-0000-7000-8000-0000000000ff')
    expect(await operator('GET', closed)).toMatchObject({ status: 404, text: missing.text })
  })

  test('may read as an operator and configure as an admin, but not create a service', async () => {
    const path = await makeService(portal)
    const operator = await delegateCalls(await newOwner(two, { region: 'us' }), 'operator', [idOf(path)])
    const admin = await delegateCalls(await newOwner(two, { region: 'us' }), 'admin', [idOf(path)])
    const rename = { body: { name: 'Renamed' } }
    expect(keyOf(await operator('PUT', path, rename))).toBe('auth.client_endpoint_forbidden')
    expect(keyOf(await operator('DELETE', path))).toBe('auth.client_endpoint_forbidden')
    expect((await admin('PUT', path, rename)).status).toBe(200)
    for (const calls of [operator, admin]) {
      expect(keyOf(await calls('POST', '/api/services', { body: {} }))).toBe('auth.client_endpoint_forbidden')
    }
  })

  test('loses a service that is deleted', async () => {
    const [gone, stays] = [await makeService(portal), await makeService(portal)]
    const admin = await delegateCalls(await newOwner(two, { region: 'us' }), 'admin', [idOf(gone), idOf(stays)])
    expect((await admin('DELETE', gone)).status).toBe(204)
    expect((await admin('GET', '/api/services')).body).toMatchObject({ total: 1, items: [{ id: idOf(stays) }] })
    const { body } = await portal('GET', '/api/delegates')
    expect(JSON.stringify(body)).not.toContain(idOf(gone))
  })
})

describe('a service that requires a second factor', () => {
  const OPENING: readonly (readonly ['GET' | 'PUT' | 'DELETE' | 'POST', string, object?])[] = [
    ['GET', ''],
    ['PUT', '', { name: 'Renamed' }],
    ['PUT', '/require-2fa', { require_2fa: false }],
    ['GET', '/private-key'],
    ['GET', '/request-fields'],
    ['PUT', '/request-fields', { config_token: '', request_fields: [] }],
    ['GET', '/share-fields'],
    ['GET', '/logs'],
    ['GET', '/connections'],
    ['POST', '/keys/batch', { user_ids: [] }],
    ['GET', '/client'],
    ['POST', '/client', {}],
    ['DELETE', ''],
  ]

  test('is refused in the portal to an account without one', async () => {
    const { user, portal: own } = await newCompany(two)
    const path = await makeService(own)
    expect((await own('PUT', `${path}/require-2fa`, { body: { require_2fa: true } })).status).toBe(200)
    for (const [method, tail, body] of OPENING) {
      const response = await own(method, `${path}${tail}`, { body })
      expect([method, tail, response.status, keyOf(response)]).toEqual([
        method,
        tail,
        403,
        'services.second_factor_required',
      ])
    }
    expect((await own('GET', '/api/services')).body).toMatchObject({ total: 1 })
    const session = await logIn(two, user)
    await enableCodes(session, user.authVerifier, two.clock.now())
    expect((await own('GET', path)).body).toMatchObject({ require_2fa: true })
    expect((await own('PUT', `${path}/require-2fa`, { body: { require_2fa: false } })).status).toBe(200)
  })

  test('is refused to a delegate of another region without a second factor of that user', async () => {
    const path = await makeService(portal)
    const delegate = await newOwner(two, { region: 'us' })
    const calls = await delegateCalls(delegate, 'admin', [idOf(path)])
    expect((await calls('PUT', `${path}/require-2fa`, { body: { require_2fa: true } })).status).toBe(200)
    expect(keyOf(await calls('GET', path))).toBe('services.second_factor_required')
    await enableCodes(delegate, delegate.user.authVerifier, two.clock.now())
    expect((await calls('GET', path)).status).toBe(200)
    // The company's own account has no second factor.
    expect(keyOf(await portal('GET', path))).toBe('services.second_factor_required')
  })

  test('needs none from machine clients', async () => {
    const { portal: own } = await newCompany(two)
    const path = await makeService(own)
    const service = await dataClientOf(two, own, path)
    await own('PUT', `${path}/require-2fa`, { body: { require_2fa: true } })
    expect((await service('GET', '/api/company-data/request-fields')).status).toBe(200)
    expect((await service('GET', '/api/company-data/logs')).status).toBe(200)
  })
})

describe('the key of a service', () => {
  test('is handed over to a delegate of another region; only that delegate opens it [ACCT-07]', async () => {
    const key = await newServiceKey()
    const made = await portal('POST', '/api/services', { body: await serviceBody({}, key) })
    const path = `/api/services/${String(made.body['id'])}`
    const [delegate, other] = [await newOwner(two, { region: 'us' }), await newOwner(two, { region: 'us' })]
    const calls = await delegateCalls(delegate, 'operator', [idOf(path)])
    const others = await delegateCalls(other, 'operator', [idOf(path)])
    expect((await calls('GET', `${path}/private-key`)).body['sealed_passphrase']).toBeNull()
    const { body } = await portal('GET', '/api/delegates')
    const listed = Array.isArray(body['items']) ? body['items'] : []
    const row: unknown = listed.find((item: { user_id: unknown }) => item.user_id === delegate.user.userId)
    const { id, public_key: publicKey } = { id: '', public_key: '', ...Object(row) }
    const handOver = { body: { sealed: await seal(publicKey, key.passphrase) } }
    const handed = await portal('PUT', `/api/delegates/${String(id)}/services/${idOf(path)}/key`, handOver)
    expect([handed.status, handed.body['keyed_services']]).toEqual([200, [idOf(path)]])
    const read = await calls('GET', `${path}/private-key`)
    const passphrase = await unseal(delegate.user, String(read.body['sealed_passphrase']))
    expect(passphrase).toBe(key.passphrase)
    const opened = await openServiceKey({ ...key, passphrase })
    expect(await openWrapper(platform, opened, await seal(key.publicKey, 'a value'))).toEqual({
      ok: true,
      value: 'a value',
    })
    for (const caller of [others, portal]) {
      expect((await caller('GET', `${path}/private-key`)).body['sealed_passphrase']).toBeNull()
    }
  })
})

const platform = createCryptoPlatform(globalThis)

async function seal(publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(platform, publicKey)
  const sealed = key.ok ? await sealWrapper(platform, key.value, text) : key
  return sealed.ok ? sealed.value : expect.fail(sealed.refusal)
}

/** With the user's own key, as the portal does it after the login. */
async function unseal(user: TestUser, sealed: string): Promise<string> {
  const { wrapKey } = await deriveLogin(user.password, user.kdf)
  const key = await importOpeningKey(platform, await openPrivateKey(user.keys.encryptedPrivateKey, wrapKey))
  const opened = key.ok ? await openWrapper(platform, key.value, sealed) : key
  return opened.ok ? opened.value : expect.fail(opened.refusal)
}
