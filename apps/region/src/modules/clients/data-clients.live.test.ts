import { createCryptoPlatform, importOpeningKey, openWrapper } from '@sealpost/crypto'
import {
  actFor,
  addService,
  type Answer,
  askToken,
  type Calls,
  callsWith,
  clientCalls,
  keyOf,
  listOf,
  openWorld,
} from '@sealpost/testkit'
import { openPrivateKey, deriveLogin } from '@sealpost/vault'
import { describe, expect, test } from 'vitest'
import { patternsFor } from '../access/index.ts'
import { CLIENT_CALLS } from './testing/client-calls.ts'

const world = await openWorld()
const owner = await world.company()
const mara = await world.person()
const { portal } = owner

/** The path of the data client of a new service, which has none yet. */
async function newService(): Promise<string> {
  const { serviceId } = await addService(world, 'eu', owner.userId)
  return `/api/services/${serviceId}/client`
}

describe('POST /api/services/{id}/client', () => {
  test('registers the one data client of the service, with the present patterns [CLIENT-06] [CLIENT-02] [WHITELIST-09]', async () => {
    const path = await newService()
    const made = await portal('POST', path)
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      client_id: expect.stringMatching(/^svc_[A-Za-z0-9]{24}$/),
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      grant_types: ['client_credentials'],
      redirect_uri: null,
    })
    const asClient = await clientCalls(world, made.body['client_id'], made.body['client_secret'])
    const whoami = await asClient('GET', '/api/company-data/whoami')
    expect(whoami.body).toEqual({ company_user_id: owner.userId, service_id: path.split('/')[3] })
    expect(await patternsOf(made.body['client_id'])).toEqual(patternsFor('svc'))
  })

  test('a second one is refused, also when both calls are concurrent [CLIENT-03]', async () => {
    const path = await newService()
    const both = await Promise.all([portal('POST', path), portal('POST', path)])
    const [won, lost] = both.toSorted((left, right) => left.status - right.status) as [Answer, Answer]
    expect([won.status, lost.status]).toEqual([201, 409])
    const second = await portal('POST', path)
    expect([second.status, keyOf(second)]).toEqual([409, 'services.client_exists'])
    expect((await askToken(world, won.body['client_id'], won.body['client_secret'])).status).toBe(200)
    expect((await portal('GET', path)).body['client_id']).toBe(won.body['client_id'])
  })

  test('takes no scope: other members of the body change nothing [CLIENT-08]', async () => {
    const path = await newService()
    const made = await portal('POST', path, { body: { capabilities: ['service_management'], patterns: ['/api/*'] } })
    expect(await patternsOf(made.body['client_id'])).toEqual(patternsFor('svc'))
  })

  test('a redirect URI is https, or http on loopback', async () => {
    const path = await newService()
    for (const redirect_uri of ['http://app.example/cb', 'com.app:/cb', '', 5]) {
      const response = await portal('POST', path, { body: { redirect_uri } })
      expect([response.status, keyOf(response)]).toEqual([400, 'services.client_redirect_uri_invalid'])
    }
    const made = await portal('POST', path, { body: { redirect_uri: 'http://127.0.0.1:9/cb' } })
    expect(made.body).toMatchObject({
      redirect_uri: 'http://127.0.0.1:9/cb',
      grant_types: ['client_credentials', 'authorization_code', 'refresh_token'],
    })
  })

  test('needs level basic; an existing client stays open below it', async () => {
    const path = await newService()
    const other = await newService()
    await portal('POST', other)
    await owner.setLevel('free')
    const response = await portal('POST', path)
    expect([response.status, keyOf(response), response.body['required_level']]).toEqual([
      403,
      'account.level_required',
      'basic',
    ])
    expect((await portal('GET', other)).status).toBe(200)
    expect((await portal('POST', `${other}/regenerate-secret`)).status).toBe(200)
    expect((await portal('DELETE', other)).status).toBe(204)
    await owner.setLevel('pro')
  })

  test('a repeated call with the same key is one client, and its secret is not answered again', async () => {
    const path = await newService()
    const first = await portal('POST', path, { key: 'k' })
    const again = await portal('POST', path, { key: 'k' })
    expect([again.status, again.body]).toEqual([201, { ...first.body, client_secret: null }])
  })
})

describe('the data client', () => {
  test('needs its secret for a token, and no read answers the secret [CLIENT-04] [CLIENT-05]', async () => {
    const path = await newService()
    const made = await portal('POST', path)
    const { client_id, client_secret } = made.body
    for (const secret of ['', 'wrong']) expect(keyOf(await askToken(world, client_id, secret))).toBe('oauth.bad_client')
    const read = await portal('GET', path)
    expect(read.body).toEqual({ client_id, grant_types: ['client_credentials'], redirect_uri: null })
    expect(read.text).not.toContain(client_secret)
  })

  test('its redirect URI can be changed, and removed with null [CLIENT-07]', async () => {
    const path = await newService()
    await portal('POST', path)
    const set = await portal('PUT', path, { body: { redirect_uri: 'https://app.example/cb' } })
    expect(set.body).toMatchObject({
      redirect_uri: 'https://app.example/cb',
      grant_types: ['client_credentials', 'authorization_code', 'refresh_token'],
    })
    expect((await portal('GET', path)).body).toEqual(set.body)
    for (const body of [{}, { redirect_uri: 'http://app.example' }]) {
      expect(keyOf(await portal('PUT', path, { body }))).toBe('services.client_redirect_uri_invalid')
    }
    const cleared = await portal('PUT', path, { body: { redirect_uri: null } })
    expect(cleared.body).toMatchObject({ redirect_uri: null, grant_types: ['client_credentials'] })
  })

  test('a regenerated secret ends every token on every process when it answers [CLIENT-11]', async () => {
    const second = await world.another('eu')
    const path = await newService()
    const { client_id, client_secret } = (await portal('POST', path)).body
    const asClient = await clientCalls(world, client_id, client_secret)
    const urls = [world.eu.url ?? '', second.url ?? '']
    const ask = (call: Calls, url: string): Promise<Answer> => call('GET', '/api/company-data/whoami', { url })
    for (const url of urls) expect((await ask(asClient, url)).status).toBe(200)
    const response = await portal('POST', `${path}/regenerate-secret`)
    for (const url of urls) expect(keyOf(await ask(asClient, url))).toBe('auth.token_invalid')
    expect(keyOf(await askToken(world, client_id, client_secret))).toBe('oauth.bad_client')
    const renewed = await clientCalls(world, client_id, response.body['client_secret'])
    for (const url of urls) expect((await ask(renewed, url)).status).toBe(200)
  })

  test('is gone after its deletion, and the service can have another', async () => {
    const path = await newService()
    const { client_id, client_secret } = (await portal('POST', path)).body
    const asClient = await clientCalls(world, client_id, client_secret)
    expect((await portal('DELETE', path)).status).toBe(204)
    expect(keyOf(await asClient('GET', '/api/company-data/whoami'))).toBe('auth.token_invalid')
    expect(keyOf(await askToken(world, client_id, client_secret))).toBe('oauth.bad_client')
    for (const [method, suffix] of CLIENT_CALLS) {
      const response = await portal(method, path + suffix, method === 'PUT' ? { body: { redirect_uri: null } } : {})
      expect([response.status, keyOf(response)]).toEqual([404, 'services.client_not_found'])
    }
    const next = await portal('POST', path)
    expect(next.status).toBe(201)
    expect(next.body['client_id']).not.toBe(client_id)
  })

  test('its secret is recovered with the password and a mailed code [CLIENT-10]', async () => {
    const path = await newService()
    const made = await portal('POST', path)
    const { body: copies } = await portal('GET', '/api/account/recovery-copies?limit=500')
    const copy = listOf(copies['items']).find(
      ({ ref_id, kind }) => ref_id === made.body['client_id'] && kind === 'client_secret',
    )
    await portal('POST', '/api/account/recover/code')
    const code = await world.mail.waitForCode(owner.email)
    const proof = { copy_id: copy?.['id'], auth_verifier: owner.authVerifier, code }
    const { body } = await portal('POST', '/api/account/recover', { body: proof })
    expect(await recoverText(body)).toBe(made.body['client_secret'])
  })
})

describe('callers of the data client', () => {
  test('a client with service_management may, one without may not', async () => {
    const path = await newService()
    const manager = await owner.accountClient(['service_management'])
    expect((await manager.calls('POST', path)).status).toBe(201)
    const other = await owner.accountClient([])
    expect(keyOf(await other.calls('GET', path))).toBe('auth.client_endpoint_forbidden')
  })

  test('an admin delegate of the service may; an operator and a delegate of another service may not', async () => {
    const path = await newService()
    const serviceId = path.split('/')[3]
    const otherService = (await newService()).split('/')[3]
    const invited = { share_code: mara.shareCode, role: 'admin', services: [serviceId] }
    const added = await portal('POST', '/api/delegates', { body: invited })
    const asDelegate = await actingCalls()
    expect((await asDelegate('POST', path)).status).toBe(201)
    expect((await asDelegate('GET', path)).status).toBe(200)
    const closed = await asDelegate('GET', `/api/services/${String(otherService)}/client`)
    expect([closed.status, keyOf(closed)]).toEqual([404, 'services.not_found'])
    expect(keyOf(await asDelegate('GET', '/api/account/clients'))).toBe('auth.client_endpoint_forbidden')
    await portal('DELETE', `/api/delegates/${String(added.body['id'])}`)
    await portal('POST', '/api/delegates', { body: { ...invited, role: 'operator' } })
    const asOperator = await actingCalls()
    expect(keyOf(await asOperator('GET', path))).toBe('auth.client_endpoint_forbidden')
  })

  test('another company’s service answers the same bytes as an unknown one', async () => {
    await newService()
    const theirs = [await world.service(), await world.service([], { company: await world.company({ region: 'us' }) })]
    const ids = [world.eu.platform.ids.uuid(), ...theirs.map(({ serviceId }) => serviceId), 'not-an-id']
    for (const [method, suffix, body] of [
      ['POST', '', { redirect_uri: 'nonsense' }],
      ['GET', '', undefined],
      ['PUT', '', { redirect_uri: 'nonsense' }],
      ['DELETE', '', undefined],
      ['POST', '/regenerate-secret', undefined],
    ] as const) {
      const answers = await Promise.all(
        ids.map((id) => portal(method, `/api/services/${id}/client${suffix}`, body === undefined ? {} : { body })),
      )
      for (const { status, text } of answers) expect([status, text]).toEqual([404, answers[0]?.text])
      expect(keyOf(answers[0] as Answer)).toBe('services.not_found')
    }
    for (const { portal: other, path, client } of theirs) {
      expect((await other('GET', `${path}/client`)).body['client_id']).toBe(client.clientId)
    }
  })

  test('a call without a token is refused', async () => {
    const path = await newService()
    const anonymous = await world.anonymous('POST', path)
    expect([anonymous.status, keyOf(anonymous)]).toEqual([401, 'auth.token_missing'])
  })
})

/** Mara as a delegate of the owner's company. */
async function actingCalls(): Promise<Calls> {
  const { cookies } = await mara.logIn()
  const { status, body, token } = await actFor(world, owner, cookies)
  expect(status).toBe(200)
  return callsWith(String(body['api_url']), token)
}

async function patternsOf(clientId: unknown): Promise<unknown> {
  const sql = 'select patterns from access.client where client_id = $1'
  return (await world.rows<{ patterns: string[] }>(sql, [clientId]))[0]?.patterns
}

/** As the browser does it: the password opens the recovery key, which opens the copy. */
async function recoverText(body: Record<string, unknown>): Promise<unknown> {
  const platform = createCryptoPlatform(globalThis)
  const { wrapKey } = await deriveLogin(owner.password, owner.kdf)
  const privateKey = await openPrivateKey(body['encrypted_recovery_key'], wrapKey, 'recovery')
  const key = await importOpeningKey(platform, privateKey)
  if (!key.ok) expect.fail(key.refusal)
  const opened = await openWrapper(platform, key.value, String(body['sealed']))
  return opened.ok ? opened.value : opened.refusal
}
