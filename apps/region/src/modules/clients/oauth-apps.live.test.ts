import { type Answer, askToken, keyOf, listOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { patternsFor } from '../access/index.ts'
import { CLIENT_CALLS } from './testing/client-calls.ts'

const APPS = '/api/account/oauth-apps'

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()
const { portal } = northwind
const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = northwind.service
const wanted = {
  name: 'Booking',
  redirect_uris: ['https://booking.example/cb'],
  public_key,
  encrypted_private_key,
}

const create = (change: object = {}, key?: string): Promise<Answer> =>
  portal('POST', APPS, { body: { ...wanted, ...change }, ...(key === undefined ? {} : { key }) })

describe('POST /api/account/oauth-apps', () => {
  test('creates an app whose claims are delivered encrypted by default [ACCT-02]', async () => {
    const made = await create()
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      client_id: expect.stringMatching(/^idw_[A-Za-z0-9]{24}$/),
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      name: 'Booking',
      redirect_uris: ['https://booking.example/cb'],
      service_id: null,
      confidential: true,
      detached: false,
      require_2fa: false,
      claims_delivery: 'encrypted',
      claims: [],
      public_key,
      created_at: world.time(),
    })
    const plain = await create({ claims_delivery: 'plaintext', require_2fa: true, service_id: northwind.serviceId })
    expect(plain.body).toMatchObject({
      claims_delivery: 'plaintext',
      require_2fa: true,
      service_id: northwind.serviceId,
    })
    expect(keyOf(await create({ claims_delivery: 'carrier pigeon' }))).toBe('request.invalid')
    const id = String(made.body['client_id'])
    const read = await portal('GET', `${APPS}/${id}`)
    const { client_secret: secret, ...members } = made.body
    expect(read.body).toEqual({ ...members, encrypted_private_key })
    expect(read.text).not.toContain(secret)
  })

  test('its client has the two patterns of sign-in apps, and no client credentials', async () => {
    const made = await create()
    const sql = 'select patterns from access.client where client_id = $1'
    expect(await world.rows(sql, [made.body['client_id']])).toEqual([{ patterns: patternsFor('idw') }])
    expect((await askToken(world, made.body['client_id'], made.body['client_secret'])).status).toBe(400)
  })

  test('a public app has no secret, here or at the directory', async () => {
    const made = await create({ confidential: false })
    expect(made.body).toMatchObject({ confidential: false, client_secret: null })
    const sql = 'select secret_hash, is_confidential from directory.client where client_id = $1'
    expect(await world.rows(sql, [made.body['client_id']], 'directory')).toEqual([
      { secret_hash: null, is_confidential: false },
    ])
    const response = await portal('POST', `${APPS}/${String(made.body['client_id'])}/regenerate-secret`)
    expect([response.status, keyOf(response)]).toEqual([400, 'request.invalid'])
  })

  test('redirect URIs are https, or http on loopback, each once', async () => {
    for (const redirect_uris of [
      undefined,
      'https://a.example',
      ['http://a.example/'],
      ['x'],
      ['https://a.example/#x'],
    ]) {
      const response = await create({ redirect_uris })
      expect([response.status, keyOf(response)]).toEqual([400, 'oauth_apps.redirect_uri_invalid'])
    }
    const twice = ['https://a.example/', 'http://localhost:1/', 'https://a.example/']
    expect((await create({ redirect_uris: twice })).body['redirect_uris']).toEqual(twice.slice(0, 2))
  })

  test('an invalid key, or one wrapped in another way, is refused', async () => {
    for (const change of [
      { public_key: undefined },
      { public_key: 'abc' },
      { encrypted_private_key: undefined },
      { encrypted_private_key: { ...encrypted_private_key, iter: 1000 } },
    ]) {
      const response = await create(change)
      expect([response.status, keyOf(response)]).toEqual([400, 'oauth_apps.public_key_required'])
    }
  })

  test('claims are validated one by one, and the refusal names the invalid one', async () => {
    const claims = [{ name: 'mail', type: 'email', verified: true, verified_max_age_days: 90, required: true }]
    expect((await create({ claims })).body['claims']).toEqual([{ ...claims[0], label: null, suggest: null }])
    const response = await create({ claims: [...claims, { name: 'id', type: 'passport' }] })
    expect([response.status, keyOf(response)]).toEqual([400, 'oauth_apps.claims_invalid'])
    expect(response.body['error']).toContain('claims[1]')
    const plugin = await create({ claims: [{ name: 'x', type: 'plugin', plugin: { plugin: 'p' } }] })
    expect([plugin.status, keyOf(plugin)]).toEqual([400, 'oauth_apps.claim_config_plugin_invalid'])
  })

  test('another company’s service answers the same 404 as an unknown one', async () => {
    const answers = await Promise.all(
      [harborline.serviceId, world.eu.platform.ids.uuid()].map((service_id) => create({ service_id })),
    )
    for (const response of answers) expect([response.status, keyOf(response)]).toEqual([404, 'services.not_found'])
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })

  test('a repeated call with the same key is one app, and its secret is not answered again', async () => {
    const first = await create({ name: 'Once' }, 'app-once')
    const again = await create({ name: 'Once' }, 'app-once')
    expect(again.body).toEqual({ ...first.body, client_secret: null })
  })

  test('is open to the portal and to clients with oauth_apps', async () => {
    const [may, mayNot] = [
      await northwind.accountClient(['oauth_apps']),
      await northwind.accountClient(['service_management']),
    ]
    const made = await may.calls('POST', APPS, { body: wanted })
    expect(made.status).toBe(201)
    expect((await may.calls('GET', `${APPS}/${String(made.body['client_id'])}`)).status).toBe(200)
    for (const { calls } of [mayNot, mara]) {
      expect(keyOf(await calls('GET', APPS))).toBe('auth.client_endpoint_forbidden')
    }
    expect(keyOf(await world.anonymous('POST', APPS))).toBe('auth.token_missing')
  })
})

describe('an app', () => {
  test('a change replaces all redirect URIs and is written to the audit log [ACCT-03]', async () => {
    const made = await create({ redirect_uris: ['https://a.example/', 'https://b.example/'], claims: [] })
    const id = String(made.body['client_id'])
    const response = await portal('PUT', `${APPS}/${id}`, { body: { redirect_uris: ['https://c.example/'] } })
    const { client_secret: _secret, ...members } = made.body
    expect([response.status, response.body]).toEqual([200, { ...members, redirect_uris: ['https://c.example/'] }])
    const sql = 'select redirect_uris from directory.client where client_id = $1'
    expect(await world.rows(sql, [id], 'directory')).toEqual([{ redirect_uris: ['https://c.example/'] }])
    const { body: audit } = await portal('GET', '/api/portal/audit?limit=1')
    expect(audit['items']).toEqual([
      expect.objectContaining({ action: 'oauth_apps.change', ref: id, actor_id: northwind.companyId }),
    ])
  })

  test('a change keeps absent members; confidential never changes', async () => {
    const made = await create({ service_id: northwind.serviceId, claims: [{ name: 'mail', type: 'email' }] })
    const path = `${APPS}/${String(made.body['client_id'])}`
    const response = await portal('PUT', path, {
      body: { name: 'Renamed', require_2fa: true, confidential: true, service_id: null },
    })
    const { client_secret: _secret, ...members } = made.body
    expect(response.body).toEqual({ ...members, name: 'Renamed', require_2fa: true, service_id: null })
    expect((await portal('GET', path)).body).toMatchObject(response.body)
    for (const [body, key] of [
      [{ confidential: false }, 'request.invalid'],
      [{ name: ' ' }, 'request.invalid'],
      [{ redirect_uris: ['ftp://x'] }, 'oauth_apps.redirect_uri_invalid'],
      [{ claims: 'all' }, 'oauth_apps.claims_invalid'],
      [{ claims: [{ name: 'x', type: 'plugin' }] }, 'oauth_apps.claim_config_plugin_invalid'],
    ] as const) {
      const refused = await portal('PUT', path, { body })
      expect([refused.status, keyOf(refused)]).toEqual([400, key])
    }
    expect((await portal('GET', path)).body).toMatchObject(response.body)
  })

  test('may make detached requests when the portal says so; a public app never, and no account client says it', async () => {
    const made = await create({ detached: true, name: 'On another screen' })
    const id = String(made.body['client_id'])
    expect([made.status, made.body['detached']]).toEqual([201, true])
    const stored = (where: 'directory' | 'eu') =>
      world.rows(
        `select allows_detached from ${where === 'eu' ? 'clients' : 'directory'}.client where client_id = $1`,
        [id],
        where,
      )
    for (const where of ['eu', 'directory'] as const) expect(await stored(where)).toEqual([{ allows_detached: true }])
    const path = `${APPS}/${id}`
    const { calls } = await northwind.accountClient(['oauth_apps'])
    expect((await calls('PUT', path, { body: { name: 'Renamed' } })).body).toMatchObject({ detached: true })
    for (const [method, at, body] of [
      ['POST', APPS, { ...wanted, detached: false }],
      ['POST', APPS, { ...wanted, detached: true }],
      ['PUT', path, { detached: true }],
      ['PUT', path, { detached: false }],
    ] as const) {
      const refused = await calls(method, at, { body })
      expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
    }
    expect((await portal('GET', path)).body).toMatchObject({ detached: true })
    for (let time = 0; time < 2; time += 1) {
      expect((await portal('PUT', path, { body: { detached: false } })).body).toMatchObject({ detached: false })
    }
    for (const where of ['eu', 'directory'] as const) expect(await stored(where)).toEqual([{ allows_detached: false }])

    const open = await create({ confidential: false, detached: false })
    expect(open.body).toMatchObject({ detached: false })
    for (const refused of [
      await create({ confidential: false, detached: true }),
      await portal('PUT', `${APPS}/${String(open.body['client_id'])}`, { body: { detached: true } }),
      await portal('PUT', path, { body: { detached: 'yes' } }),
    ]) {
      expect([refused.status, keyOf(refused)]).toEqual([400, 'request.invalid'])
    }
  })

  test('is listed without secrets, gets a new secret, and is deleted', async () => {
    const made = await create({ name: 'Goes' })
    const { client_id, client_secret } = made.body
    const path = `${APPS}/${String(client_id)}`
    const listed = await portal('GET', `${APPS}?limit=500`)
    expect(listed.text).toContain(client_id)
    expect(listed.text).not.toContain('encrypted_private_key')
    const renewed = await portal('POST', `${path}/regenerate-secret`)
    expect(renewed.body).toEqual({ client_id, client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
    expect(renewed.body['client_secret']).not.toBe(client_secret)
    expect((await portal('DELETE', path)).status).toBe(204)
    for (const [method, suffix] of CLIENT_CALLS) {
      const response = await portal(method, path + suffix, method === 'PUT' ? { body: {} } : {})
      expect([response.status, keyOf(response)]).toEqual([404, 'oauth_apps.not_found'])
    }
    expect((await portal('GET', `${APPS}?limit=500`)).text).not.toContain(client_id)
  })

  test('another company’s app answers the same bytes as an unknown one', async () => {
    const { portal: other } = harborline
    const theirs = String((await other('POST', APPS, { body: wanted })).body['client_id'])
    for (const [method, suffix] of CLIENT_CALLS) {
      const answers = await Promise.all(
        [`idw_${'u'.repeat(24)}`, theirs, 'x', northwind.clientId].map((id) =>
          portal(method, `${APPS}/${id}${suffix}`, method === 'PUT' ? { body: { claims: 'all' } } : {}),
        ),
      )
      for (const { status, text } of answers) expect([status, text]).toEqual([404, answers[0]?.text])
      expect(keyOf(answers[0] as Answer)).toBe('oauth_apps.not_found')
    }
    expect((await other('GET', `${APPS}/${theirs}`)).status).toBe(200)
  })
})

test('an app outlives its service, whose id is null from then on, and a read app can be sent back', async () => {
  const service = await world.service([], { company: northwind })
  const made = await create({ service_id: service.serviceId })
  const path = `${APPS}/${String(made.body['client_id'])}`
  expect(made.body['service_id']).toBe(service.serviceId)
  expect((await portal('DELETE', service.path)).status).toBe(204)
  const read = await portal('GET', path)
  expect(read).toMatchObject({ status: 200, body: { service_id: null } })
  const changed = await portal('PUT', path, { body: { name: 'Renamed' } })
  expect(changed).toMatchObject({ status: 200, body: { name: 'Renamed', service_id: null } })
  const listed = await portal('GET', `${APPS}?limit=500`)
  const items = listOf(listed.body['items']).filter(({ client_id: id }) => id === made.body['client_id'])
  expect(items).toMatchObject([{ service_id: null }])
  const { name, redirect_uris, service_id } = read.body
  expect(await portal('PUT', path, { body: { name, redirect_uris, service_id } })).toMatchObject({
    status: 200,
    body: { service_id: null },
  })
})
