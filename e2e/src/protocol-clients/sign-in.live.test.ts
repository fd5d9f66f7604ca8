import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { openBackend } from './backend.ts'
import { newKey, open, seal } from './crypto.ts'
import { type Access, call, credentialsOf, listOf, type Members, membersOf, must, refusalOf } from './http.ts'

const REDIRECT = 'https://shop.example/callback'
const AUTHORIZE = '/oauth2/authorize'

const world = await openWorld()
const front: Access = { url: world.frontDoor.url, token: null }
const { automation } = await openBackend(world, [])
const person = await world.person()
/** The person's own app, which shows the consent. */
const device: Access = { url: front.url, token: person.token }
const key = newKey()

async function createApp(members: object): Promise<Members> {
  const body = { name: 'Shop', redirect_uris: [REDIRECT], ...key.members, ...members }
  return must(201, call(automation, 'POST', '/api/account/oauth-apps', { body }))
}

interface Request {
  readonly verifier: string
  readonly query: Readonly<Record<string, string>>
}

function newRequest(app: Members, more: Readonly<Record<string, string>> = {}): Request {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    verifier,
    query: {
      client_id: String(app['client_id']),
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid',
      state: randomBytes(16).toString('base64url'),
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    },
  }
}

function view({ query }: Request) {
  const path = `${AUTHORIZE}?${new URLSearchParams(query).toString()}`
  return call(device, 'GET', path, { headers: { accept: 'application/json' } })
}

/** The person approves; answers the tokens that the app gets for the code. */
async function signIn(app: Members, { query, verifier }: Request, values: Members): Promise<Members> {
  const body = { ...query, decision: 'approve', values }
  const { redirect_to } = await must(200, call(device, 'POST', AUTHORIZE, { body }))
  const back = new URL(String(redirect_to)).searchParams
  expect([back.get('state'), back.get('iss')]).toEqual([query['state'], front.url])
  const form = {
    grant_type: 'authorization_code',
    code: back.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    ...credentialsOf(app),
  }
  return must(200, call(front, 'POST', '/oauth2/token', { form }))
}

/** The payload of an ID token, after its signature was checked with the published keys. */
async function readIdToken(token: unknown): Promise<Members> {
  const [head = '', body = '', signature = ''] = String(token).split('.')
  const part = (text: string): Members => membersOf(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  const { keys } = membersOf((await call(front, 'GET', '/oauth2/jwks')).json())
  const jwk = listOf(keys).find(({ kid }) => kid === part(head)['kid'])
  const published = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  expect(part(head)['alg']).toBe('RS256')
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), published, Buffer.from(signature, 'base64url'))
  expect(isSigned).toBe(true)
  return part(body)
}

async function userInfo(tokens: Members, url = front.url): Promise<Members> {
  return must(200, call({ url, token: String(tokens['access_token']) }, 'GET', '/api/oauth/userinfo'))
}

test('discovery names the endpoints and scopes that work', async () => {
  const found = await must(200, call(front, 'GET', '/.well-known/openid-configuration'))
  expect(found).toMatchObject({
    issuer: front.url,
    authorization_endpoint: `${front.url}${AUTHORIZE}`,
    token_endpoint: `${front.url}/oauth2/token`,
    userinfo_endpoint: `${front.url}/api/oauth/userinfo`,
    scopes_supported: ['openid', 'profile', 'email'],
  })
})

describe('an app that takes sealed claims', () => {
  test('gets its own claims and those that its request names, and opens them', async () => {
    const app = await createApp({ claims: [{ name: 'mail', type: 'email', required: true }] })
    const request = newRequest(app, { app_claims: JSON.stringify([{ name: 'phone', type: 'phone' }]) })
    const { claims } = await must(200, view(request))
    expect(listOf(claims).map(({ name, required }) => [name, required])).toEqual([
      ['mail', true],
      ['phone', false],
    ])
    const sealed = (text: string): string => seal(key.members.public_key, text)
    const tokens = await signIn(app, request, { mail: sealed('mara@home.example'), phone: sealed('+31 20 123456') })
    expect(await readIdToken(tokens['id_token'])).toMatchObject({ sub: person.shareCode, email_verified: false })
    for (const url of [front.url, String(tokens['api_url'])]) {
      const info = await userInfo(tokens, url)
      expect(info).toMatchObject({ sub: person.shareCode, share_code: person.shareCode, mode: 'signin' })
      expect(info).not.toHaveProperty('claims')
      const values = membersOf(info['values'])
      expect(open(key.privateKey, values['mail'])).toBe('mara@home.example')
      expect(open(key.privateKey, values['phone'])).toBe('+31 20 123456')
    }
  })

  test('may ask for claims under their older name, and for name and email by scope', async () => {
    const app = await createApp({})
    const older = newRequest(app, { claims: JSON.stringify([{ name: 'born', type: 'date_of_birth' }]) })
    const scoped = newRequest(app, { scope: 'openid profile email' })
    const names = async (request: Request) => listOf((await must(200, view(request)))['claims']).map(({ name }) => name)
    expect([await names(older), await names(scoped)]).toEqual([['born'], ['name', 'email']])
  })

  test.each([
    ['a file', [{ name: 'id', type: 'passport' }]],
    ['a plugin', [{ name: 'x', type: 'plugin' }]],
    ['no type', [{ name: 'x' }]],
    ['more than 15', Array.from({ length: 16 }, (_, place) => ({ name: `n${place}`, type: 'text' }))],
  ])('cannot ask for %s', async (_what, claims) => {
    const refused = await view(newRequest(await createApp({}), { app_claims: JSON.stringify(claims) }))
    expect(refusalOf(refused)).toEqual([400, 'oauth.invalid_request'])
  })

  test('without a service can neither connect nor enrol', async () => {
    const app = await createApp({})
    for (const mode of ['connect', '2fa_enroll']) {
      expect(refusalOf(await view(newRequest(app, { mode })))).toEqual([400, 'oauth.connect_no_service'])
    }
  })
})

test('an app that takes plaintext gets texts as claims, and its values are empty', async () => {
  const app = await createApp({ claims_delivery: 'plaintext' })
  const request = newRequest(app, { scope: 'openid profile email' })
  const texts = { name: 'Mara', email: person.email }
  const tokens = await signIn(app, request, texts)
  const known = { ...texts, email_verified: true }
  expect(await readIdToken(tokens['id_token'])).toMatchObject({ sub: person.shareCode, ...known })
  expect(await userInfo(tokens)).toMatchObject({ values: {}, values_attestation: {}, claims: texts, ...known })
})

test('a refresh token works at a region, too', async () => {
  const app = await createApp({})
  const tokens = await signIn(app, newRequest(app), {})
  const form = { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']), ...credentialsOf(app) }
  const renewed = await must(200, call({ url: world.us.url ?? '', token: null }, 'POST', '/oauth2/token', { form }))
  expect(renewed['api_url']).toBe(world.eu.url)
  expect(await userInfo(renewed)).toMatchObject({ sub: person.shareCode })
})
