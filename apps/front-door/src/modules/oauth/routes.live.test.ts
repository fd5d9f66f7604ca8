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

function credentials({ clientId, clientSecret }: typeof northwind) {
  return { client_id: clientId, client_secret: clientSecret }
}

async function askToken(form: Record<string, string>): Promise<{ status: number; body: unknown }> {
  const body = new URLSearchParams({ ...credentials(northwind), ...form })
  const answer = await fetch(`${front}/oauth2/token`, { method: 'POST', body })
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
