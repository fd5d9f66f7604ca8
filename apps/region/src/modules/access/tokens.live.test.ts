import type { RegionCode, UserId } from '@sealpost/kernel'
import {
  call,
  forge,
  type Forged,
  harborline,
  logIn,
  loginClaims,
  mara,
  northwind,
  openOffice,
  type Office,
  payloadOf,
  publicKey,
  signUp,
} from '@sealpost/testkit'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeSession } from './guard/index.ts'

const WHOAMI = '/api/company-data/whoami'
const EU = 'eu' as RegionCode
let office: Office
let eu: string
let us: string

beforeAll(async () => {
  office = await openOffice()
  eu = office.northwind.apiUrl
  us = office.harborline.apiUrl
})
afterAll(() => office.close())

const at = (apiUrl: string, token: string) => ({ apiUrl, token })
const invalid = { status: 401, body: { error_key: 'auth.token_invalid' } }

describe('a forged token is refused before any handler runs', () => {
  const variants: readonly [string, () => Promise<string>][] = [
    ['without a signature (alg none)', async () => new UnsecuredJWT(await honest()).encode()],
    ['without a signature, its type kept', async () => noneWithType()],
    ['signed by HMAC with the public key as text', () => hmacOf('spki')],
    ['signed by HMAC with the public key as JWK', () => hmacOf('jwk')],
    ['signed with the attacker’s key under the known kid', async () => sign({ key: (await ownKey()).privateKey })],
    ['under an unpublished kid', async () => sign({ key: (await ownKey()).privateKey, header: { kid: 'mine' } })],
    ['that contains its own key', ownKeyAlong],
    ['that names the URL of its key', () => sign({ header: { kid: 'x', jku: 'http://evil.example/jwks' } })],
    ['of another issuer', () => sign({ payload: { iss: us } })],
    ['for another audience', () => sign({ payload: { aud: 'something-else' } })],
    ['of another type', () => sign({ header: { typ: 'JWT' } })],
    ['of an older epoch', () => sign({ payload: { ep: 0 } })],
    ['without a time of issue', () => sign({ payload: { iat: undefined } })],
    ['that is not yet valid', () => sign({ payload: { nbf: Math.floor(office.two.clock.now() / 1000) + 600 } })],
    ['of a client that does not exist', () => sign({ payload: { client_id: 'svc_aaaaaaaaaaaaaaaaaaaaaaaa' } })],
    ['of no known kind of client', () => sign({ payload: { client_id: 'root_aaaaaaaaaaaaaaaaaaaaaaaa' } })],
    ['of a client that acts for another company', () => sign({ payload: { acc: harborline.companyId } })],
    ['that acts for an empty id', () => sign({ payload: { acc: '' } })],
  ]
  test.each(variants)('%s [AUTH-04]', async (_what, make) => {
    expect(await call(at(eu, await make()), 'GET', WHOAMI)).toMatchObject(invalid)
  })

  async function honest(): Promise<Record<string, unknown>> {
    return payloadOf(await office.two.token(northwind))
  }
  async function sign(forged: Forged): Promise<string> {
    return forge(office.two, await honest(), forged)
  }
  async function hmacOf(form: 'spki' | 'jwk'): Promise<string> {
    const jwk = await publicKey(office.two)
    const key = await importJWK(jwk, 'ES256')
    const text = form === 'jwk' ? JSON.stringify(jwk) : await exportSPKI(key as Parameters<typeof exportSPKI>[0])
    return sign({ key: new TextEncoder().encode(text), header: { alg: 'HS256' } })
  }
  async function ownKeyAlong(): Promise<string> {
    const { privateKey, publicKey: half } = await ownKey()
    return sign({ key: privateKey, header: { kid: 'mine', jwk: await exportJWK(half) } })
  }
  async function noneWithType(): Promise<string> {
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(await honest())}.`
  }
  function ownKey() {
    return generateKeyPair('ES256', { extractable: true })
  }
})

describe('a login', () => {
  test('is refused on the company-data surface, which is for clients [AUTH-01]', async () => {
    for (const login of [office.northwind, office.harborline, office.mara]) {
      expect(await call(login, 'GET', WHOAMI)).toMatchObject({
        status: 403,
        body: { error_key: 'company_data.no_client', error: 'Not a registered service client' },
      })
    }
  })

  test('of a person reaches no route of companies, and the other way round', async () => {
    const forbidden = { status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } }
    expect(await call(office.mara, 'GET', '/api/account-key')).toMatchObject(forbidden)
    expect(await call(office.northwind, 'GET', '/api/profile/keys')).toMatchObject(forbidden)
  })

  test('in another region is referred to its home region, for each account by itself', async () => {
    const lost = (login: typeof office.northwind, to: string) => call(at(to, login.token), 'GET', '/api/account')
    for (const elsewhere of [us, office.two.frontDoor.url]) {
      expect(await lost(office.northwind, elsewhere)).toMatchObject({ status: 421, body: { api_url: eu } })
    }
    for (const elsewhere of [eu, office.two.frontDoor.url]) {
      // Both have the client id portal_web: the home of one account is never answered for the other.
      expect(await lost(office.harborline, elsewhere)).toMatchObject({ status: 421, body: { api_url: us } })
      expect(await lost(office.mara, elsewhere)).toMatchObject({ status: 421, body: { api_url: us } })
    }
  })

  test('is served in its home region, whatever region the token names', async () => {
    const { companyId: userId } = northwind
    const moved = await forge(office.two, loginClaims({ userId, userType: 'company', region: 'us' as RegionCode }))
    expect(await call(at(eu, moved), 'GET', '/api/account')).toMatchObject({ status: 200, body: { id: userId } })
  })

  test('of a deleted account, of another type or with an invalid subject is refused', async () => {
    const unknown = office.two.eu.platform.ids.uuid<UserId>()
    const { companyId } = northwind
    const refused = [
      loginClaims({ userId: unknown, userType: 'company', region: EU }),
      loginClaims({ userId: companyId, userType: 'person', region: EU }),
      { ...loginClaims({ userId: companyId, userType: 'company', region: EU }), ut: 'person' },
      { ...loginClaims({ userId: companyId, userType: 'company', region: EU }), sub: 'no-id' },
      { ...loginClaims({ userId: companyId, userType: 'company', region: EU }), client_id: 'person_app' },
    ]
    for (const claims of refused)
      expect(await call(at(eu, await forge(office.two, claims)), 'GET', '/api/account')).toMatchObject(invalid)
  })

  test('ends in every process at once when its session is revoked, others stay valid [AUTH-15]', async () => {
    const second = await office.two.another('eu')
    const tokens = await Promise.all(
      ['one', 'two'].map((sid) =>
        forge(office.two, loginClaims({ userId: northwind.companyId, userType: 'company', region: EU, sid })),
      ),
    )
    const [first = '', other = ''] = tokens
    const places = [eu, second.url ?? '']
    for (const url of places) expect((await call(at(url, first), 'GET', '/api/account')).status).toBe(200)
    const { database, clock } = office.two.eu.platform
    await revokeSession({ database, clock }, 'one')
    for (const url of places) {
      expect(await call(at(url, first), 'GET', '/api/account')).toMatchObject(invalid)
      expect((await call(at(url, other), 'GET', '/api/account')).status).toBe(200)
    }
  })

  test('of a user who claims to act for a company without being its delegate is refused', async () => {
    const acting = {
      ...loginClaims({ userId: mara.userId, userType: 'company', region: EU }),
      acc: northwind.companyId,
    }
    expect(await call(at(eu, await forge(office.two, acting)), 'GET', '/api/account')).toMatchObject(invalid)
  })
})

describe('an Idempotency-Key', () => {
  test('belongs to one caller: the same key of two logins of one app makes two clients', async () => {
    const body = { name: 'one', capabilities: [] }
    const neighbour = await logIn(office.two, await signUp(office.two, { userType: 'company', region: 'eu' }))
    const made = await Promise.all(
      [office.northwind, neighbour].map((login) =>
        call(login, 'POST', '/api/account/clients', { body, key: 'the-same-key' }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual([201, 201])
    expect(made[0]?.body['client_id']).not.toBe(made[1]?.body['client_id'])
    const again = await call(office.northwind, 'POST', '/api/account/clients', { body, key: 'the-same-key' })
    expect(again.body['client_id']).toBe(made[0]?.body['client_id'])
  })
})
