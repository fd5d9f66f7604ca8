import { request } from 'node:http'
import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const DOCUMENTS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const front = world.frontDoor.url

describe('discovery', () => {
  test.each(DOCUMENTS)('%s names the public address, whatever headers the request has', async (path) => {
    const forged: readonly [string, Record<string, string>][] = [
      [path, { host: 'evil.example' }],
      [path, { host: 'user@evil.example' }],
      [path, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }],
      [path, { forwarded: 'host=evil.example;proto=https', 'x-forwarded-for': '203.0.113.9' }],
      [`http://evil.example${path}`, {}],
      [`${path}?next=http://evil.example`, { host: 'evil.example' }],
    ]
    for (const [target, headers] of forged) {
      expect(await getRaw(target, headers)).toMatchObject({
        issuer: front,
        token_endpoint: `${front}/oauth2/token`,
        jwks_uri: `${front}/oauth2/jwks`,
      })
    }
  })

  test.each(DOCUMENTS)('%s lists the served endpoints only', async (path) => {
    const document = await getRaw(path)
    expect(document).toMatchObject({ issuer: front, grant_types_supported: expect.arrayContaining(['refresh_token']) })
    const endpoints = Object.entries(Object(document)).filter(([name]) => /_(endpoint|uri)$/.test(name))
    expect(endpoints.map(([name]) => name).toSorted()).toEqual([
      'authorization_endpoint',
      'jwks_uri',
      'revocation_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
    ])
    for (const [, address] of endpoints) {
      const methods = await Promise.all(
        ['GET', 'POST'].map(async (method) => (await fetch(String(address), { method })).status),
      )
      expect(methods.some((status) => status !== 404 && status !== 405)).toBe(true)
    }
  })
})

describe('grants', () => {
  test('a client without a redirect URI gets unauthorized_client for the code grant', async () => {
    const { status, body } = await askToken({ grant_type: 'authorization_code', code: 'a' })
    expect(status).toBe(400)
    expect(body).toEqual({
      error: 'unauthorized_client',
      error_description: expect.any(String),
      error_key: 'oauth.unauthorized_client',
    })
  })

  test.each(['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'the grant %s does not exist',
    async (grant) => {
      const { status, body } = await askToken({ grant_type: grant })
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: 'unsupported_grant_type', error_key: 'oauth.unsupported_grant_type' })
    },
  )

  test('a wrong secret gets bad_client, whatever the grant type', async () => {
    const { client_secret: secret } = credentials(harborline)
    const { status, body } = await askToken({ grant_type: 'authorization_code', client_secret: secret })
    expect([status, body]).toEqual([401, expect.objectContaining({ error_key: 'oauth.bad_client' })])
  })
})

describe('the log line of a refused call', () => {
  const lineOf = (operation: string) => world.telemetry.lines().findLast((line) => line['operation'] === operation)
  const basicOf = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

  test.each([
    ['in the form', { client_secret: 'a-wrong-secret' }, {}],
    [
      'by HTTP Basic',
      { client_id: '', client_secret: '' },
      { authorization: basicOf(northwind.clientId, 'a-wrong-secret') },
    ],
  ])('has the client and the key of a wrong secret %s, and not the secret', async (_where, form, headers) => {
    world.telemetry.clear()
    const { status } = await askToken({ grant_type: 'client_credentials', ...form }, headers)
    expect(status).toBe(401)
    const line = { level: 'info', status: 401, client_id: northwind.clientId, error_key: 'oauth.bad_client' }
    await expect.poll(() => lineOf('oauth.request_token')).toMatchObject(line)
    expect(world.telemetry.text()).not.toContain('a-wrong-secret')
  })

  test('has the client of an unknown code and an unknown refresh token, and neither of the two', async () => {
    for (const form of [
      { grant_type: 'refresh_token', refresh_token: 'eu.a-stolen-token' },
      { grant_type: 'authorization_code', code: 'eu.a-stolen-token', redirect_uri: 'https://a.example/' },
    ]) {
      world.telemetry.clear()
      const { body } = await askToken(form)
      const line = { client_id: northwind.clientId, error_key: Object(body).error_key }
      await expect.poll(() => lineOf('oauth.request_token')).toMatchObject(line)
      expect(world.telemetry.text()).not.toContain('a-stolen-token')
    }
  })

  test('has no client when the text has not the form of a client id: it may be a secret', async () => {
    world.telemetry.clear()
    await askToken({ grant_type: 'client_credentials', client_id: northwind.clientSecret })
    await expect.poll(() => lineOf('oauth.request_token')).toMatchObject({ error_key: 'oauth.bad_client' })
    expect(lineOf('oauth.request_token')).not.toHaveProperty('client_id')
    expect(world.telemetry.text()).not.toContain(northwind.clientSecret)
  })

  test('has the client of a refused poll and of a page that shows a refusal', async () => {
    world.telemetry.clear()
    const poll = new URLSearchParams({
      ...credentials(northwind),
      client_secret: 'a-wrong-secret',
      state: 'x'.repeat(40),
    })
    expect((await fetch(`${front}/oauth2/result`, { method: 'POST', body: poll })).status).toBe(401)
    const line = { client_id: northwind.clientId, error_key: 'oauth.bad_client' }
    await expect.poll(() => lineOf('oauth.poll_result')).toMatchObject(line)
    const query = new URLSearchParams({ client_id: northwind.clientId, redirect_uri: 'https://evil.example/' })
    const page = await fetch(`${front}/oauth2/authorize?${query}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    })
    expect(page.status).toBe(400)
    await expect
      .poll(() => lineOf('oauth.start_authorization'))
      .toMatchObject({ client_id: northwind.clientId, error_key: expect.stringMatching(/^oauth\./) })
    expect(world.telemetry.text()).not.toContain('a-wrong-secret')
  })
})

function credentials({ clientId, clientSecret }: typeof northwind) {
  return { client_id: clientId, client_secret: clientSecret }
}

async function askToken(
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const members = Object.entries({ ...credentials(northwind), ...form }).filter(([, text]) => text !== '')
  const body = new URLSearchParams(members)
  const answer = await fetch(`${front}/oauth2/token`, { method: 'POST', body, headers })
  return { status: answer.status, body: await answer.json() }
}

/** `fetch` sets Host and the request target by itself. */
function getRaw(path: string, headers: Record<string, string> = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(front, { path, headers }, (answer) => {
      answer.toArray().then((chunks) => resolve(JSON.parse(Buffer.concat(chunks).toString())), reject)
    })
    sent.on('error', reject).end()
  })
}
