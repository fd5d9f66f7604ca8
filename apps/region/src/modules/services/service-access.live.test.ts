import { createCryptoPlatform, importOpeningKey, openWrapper } from '@sealpost/crypto'
import {
  actFor,
  type Calls,
  callsWith,
  enableCodes,
  keyOf,
  listOf,
  openServiceKey,
  openWorld,
  type Person,
  sealTo,
} from '@sealpost/testkit'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { describe, expect, test } from 'vitest'

const platform = createCryptoPlatform(globalThis)

const world = await openWorld()
const company = await world.company()
const { portal } = company

/** Calls of a user of another region who works in the company's portal. */
async function delegateCalls(user: Person, role: 'admin' | 'operator', services: readonly string[]): Promise<Calls> {
  const added = await portal('POST', '/api/delegates', { body: { share_code: user.shareCode, role, services } })
  expect(added.status).toBe(201)
  const { cookies } = await user.logIn()
  const { status, body, token } = await actFor(world, company, cookies)
  expect(status).toBe(200)
  return callsWith(String(body['api_url']), token)
}

describe('a delegate', () => {
  test('sees the services that it has access to and no others', async () => {
    const { path: open, serviceId } = await world.service([], { company, name: 'Open' })
    const { path: closed } = await world.service([], { company })
    const operator = await delegateCalls(await world.person(), 'operator', [serviceId])
    const { body } = await operator('GET', '/api/services')
    expect(body).toMatchObject({ total: 1, items: [{ id: serviceId, name: 'Open' }], next_cursor: null })
    expect((await operator('GET', open)).status).toBe(200)
    expect((await operator('GET', `${open}/private-key`)).status).toBe(200)
    const missing = await operator('GET', '/api/services/019a0000-0000-7000-8000-0000000000ff')
    expect(await operator('GET', closed)).toMatchObject({ status: 404, text: missing.text })
  })

  test('may read as an operator and configure as an admin, but neither create nor delete a service', async () => {
    const { path, serviceId } = await world.service([], { company })
    const operator = await delegateCalls(await world.person(), 'operator', [serviceId])
    const admin = await delegateCalls(await world.person(), 'admin', [serviceId])
    const rename = { body: { name: 'Renamed' } }
    expect(keyOf(await operator('PUT', path, rename))).toBe('auth.client_endpoint_forbidden')
    expect((await admin('PUT', path, rename)).status).toBe(200)
    for (const calls of [operator, admin]) {
      expect(keyOf(await calls('POST', '/api/services', { body: {} }))).toBe('auth.client_endpoint_forbidden')
      expect(keyOf(await calls('DELETE', path))).toBe('auth.client_endpoint_forbidden')
    }
    expect((await portal('GET', path)).status).toBe(200)
    const { calls: automation } = await company.accountClient(['service_management'])
    expect((await automation('DELETE', path)).status).toBe(204)
  })

  test('loses a service that is deleted', async () => {
    const gone = await world.service([], { company })
    const stays = await world.service([], { company })
    const admin = await delegateCalls(await world.person(), 'admin', [gone.serviceId, stays.serviceId])
    expect((await portal('DELETE', gone.path)).status).toBe(204)
    expect((await admin('GET', '/api/services')).body).toMatchObject({ total: 1, items: [{ id: stays.serviceId }] })
    const { body } = await portal('GET', '/api/delegates')
    expect(JSON.stringify(body)).not.toContain(gone.serviceId)
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
    const { company: user, portal: own, path } = await world.service()
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
    await enableCodes(user, user.authVerifier, world.clock.now())
    expect((await own('GET', path)).body).toMatchObject({ require_2fa: true })
    expect((await own('PUT', `${path}/require-2fa`, { body: { require_2fa: false } })).status).toBe(200)
  })

  test('is refused to a delegate of another region without a second factor of that user', async () => {
    const { path, serviceId } = await world.service([], { company })
    const delegate = await world.person()
    const calls = await delegateCalls(delegate, 'admin', [serviceId])
    expect((await calls('PUT', `${path}/require-2fa`, { body: { require_2fa: true } })).status).toBe(200)
    expect(keyOf(await calls('GET', path))).toBe('services.second_factor_required')
    await enableCodes(delegate, delegate.authVerifier, world.clock.now())
    expect((await calls('GET', path)).status).toBe(200)
    // The company's own account has no second factor.
    expect(keyOf(await portal('GET', path))).toBe('services.second_factor_required')
  })

  test('needs none from machine clients', async () => {
    const service = await world.service()
    const required = await service.portal('PUT', `${service.path}/require-2fa`, { body: { require_2fa: true } })
    expect(required.status).toBe(200)
    expect((await service.data('GET', '/api/company-data/request-fields')).status).toBe(200)
    expect((await service.data('GET', '/api/company-data/logs')).status).toBe(200)
  })
})

describe('the key of a service', () => {
  test('is handed over to a delegate of another region; only that delegate opens it [ACCT-07]', async () => {
    const service = await world.service([], { company })
    const { path, serviceId } = service
    const [delegate, other] = [await world.person(), await world.person()]
    const calls = await delegateCalls(delegate, 'operator', [serviceId])
    const others = await delegateCalls(other, 'operator', [serviceId])
    expect((await calls('GET', `${path}/private-key`)).body['sealed_passphrase']).toBeNull()
    const { body } = await portal('GET', '/api/delegates')
    const row = listOf(body['items']).find((item) => item['user_id'] === delegate.userId)
    const handOver = { body: { sealed: await sealTo(String(row?.['public_key']), service.passphrase) } }
    const handed = await portal('PUT', `/api/delegates/${String(row?.['id'])}/services/${serviceId}/key`, handOver)
    expect([handed.status, handed.body['keyed_services']]).toEqual([200, [serviceId]])
    const read = await calls('GET', `${path}/private-key`)
    const passphrase = await unseal(delegate, String(read.body['sealed_passphrase']))
    expect(passphrase).toBe(service.passphrase)
    const opened = await openServiceKey({ ...service, passphrase })
    expect(await openWrapper(platform, opened, await service.seal('a value'))).toEqual({
      ok: true,
      value: 'a value',
    })
    for (const caller of [others, portal]) {
      expect((await caller('GET', `${path}/private-key`)).body['sealed_passphrase']).toBeNull()
    }
  })
})

/** With the user's own key, as the portal does it after the login. */
async function unseal(user: Person, sealed: string): Promise<string> {
  const { wrapKey } = await deriveLogin(user.password, user.kdf)
  const key = await importOpeningKey(platform, await openPrivateKey(user.keys.encryptedPrivateKey, wrapKey))
  const opened = key.ok ? await openWrapper(platform, key.value, sealed) : key
  return opened.ok ? opened.value : expect.fail(opened.refusal)
}
