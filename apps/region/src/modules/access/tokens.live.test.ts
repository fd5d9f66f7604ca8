import type { RegionCode, UserId } from '@sealpost/kernel'
import { callsWith, forge, type Forged, loginClaims, openWorld, payloadOf, publicKey } from '@sealpost/testkit'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { revokeSession } from './guard/index.ts'

const WHOAMI = '/api/company-data/whoami'
const EU = 'eu' as RegionCode

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()
const [eu, us] = [northwind.apiUrl, harborline.apiUrl]

const account = (token: string, url = eu) => callsWith(url, token)('GET', '/api/account')
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
    ['that is not yet valid', () => sign({ payload: { nbf: Math.floor(world.clock.now() / 1000) + 600 } })],
    ['of a client that does not exist', () => sign({ payload: { client_id: 'svc_aaaaaaaaaaaaaaaaaaaaaaaa' } })],
    ['of no known kind of client', () => sign({ payload: { client_id: 'root_aaaaaaaaaaaaaaaaaaaaaaaa' } })],
    ['of a client that acts for another company', () => sign({ payload: { acc: harborline.companyId } })],
    ['that acts for an empty id', () => sign({ payload: { acc: '' } })],
  ]
  test.each(variants)('%s [AUTH-04]', async (_what, make) => {
    expect(await callsWith(eu, await make())('GET', WHOAMI)).toMatchObject(invalid)
  })

  async function honest(): Promise<Record<string, unknown>> {
    return payloadOf(await world.token(northwind))
  }
  async function sign(forged: Forged): Promise<string> {
    return forge(world, await honest(), forged)
  }
  async function hmacOf(form: 'spki' | 'jwk'): Promise<string> {
    const jwk = await publicKey(world)
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
    for (const login of [northwind, harborline, mara]) {
      expect(await login.calls('GET', WHOAMI)).toMatchObject({
        status: 403,
        body: { error_key: 'company_data.no_client', error: 'Not a registered service client' },
      })
    }
  })

  test('of a person reaches no route of companies, and the other way round', async () => {
    const forbidden = { status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } }
    expect(await mara.calls('GET', '/api/account-key')).toMatchObject(forbidden)
    expect(await northwind.calls('GET', '/api/profile/keys')).toMatchObject(forbidden)
  })

  test('in another region is referred to its home region, for each account by itself', async () => {
    const front = world.frontDoor.url
    for (const elsewhere of [us, front]) {
      expect(await account(northwind.token, elsewhere)).toMatchObject({ status: 421, body: { api_url: eu } })
    }
    for (const elsewhere of [eu, front]) {
      // Both have the client id portal_web: the home of one account is never answered for the other.
      expect(await account(harborline.token, elsewhere)).toMatchObject({ status: 421, body: { api_url: us } })
      expect(await account(mara.token, elsewhere)).toMatchObject({ status: 421, body: { api_url: us } })
    }
  })

  test('is served in its home region, whatever region the token names', async () => {
    const { companyId: userId } = northwind
    const moved = await forge(world, loginClaims({ userId, userType: 'company', region: 'us' as RegionCode }))
    expect(await account(moved)).toMatchObject({ status: 200, body: { id: userId } })
  })

  test('of a deleted account, of another type or with an invalid subject is refused', async () => {
    const unknown = world.eu.platform.ids.uuid<UserId>()
    const { companyId } = northwind
    const refused = [
      loginClaims({ userId: unknown, userType: 'company', region: EU }),
      loginClaims({ userId: companyId, userType: 'person', region: EU }),
      { ...loginClaims({ userId: companyId, userType: 'company', region: EU }), ut: 'person' },
      { ...loginClaims({ userId: companyId, userType: 'company', region: EU }), sub: 'no-id' },
      { ...loginClaims({ userId: companyId, userType: 'company', region: EU }), client_id: 'person_app' },
    ]
    for (const claims of refused) expect(await account(await forge(world, claims))).toMatchObject(invalid)
  })

  test('ends in every process at once when its session is revoked, others stay valid [AUTH-15]', async () => {
    const second = await world.another('eu')
    const { database, clock, ids } = world.eu.platform
    const sid = ids.uuid<UserId>()
    const login = { userId: northwind.companyId, userType: 'company', region: EU } as const
    const [first, other] = [
      await forge(world, loginClaims({ ...login, sid })),
      await forge(world, loginClaims({ ...login, sid: ids.uuid<UserId>() })),
    ]
    const places = [eu, second.url ?? '']
    for (const url of places) expect((await account(first, url)).status).toBe(200)
    await revokeSession({ database, clock }, sid)
    for (const url of places) {
      expect(await account(first, url)).toMatchObject(invalid)
      expect((await account(other, url)).status).toBe(200)
    }
  })

  test('of a user who claims to act for a company without being its delegate is refused', async () => {
    const acting = {
      ...loginClaims({ userId: mara.userId, userType: 'company', region: EU }),
      acc: northwind.companyId,
    }
    expect(await account(await forge(world, acting))).toMatchObject(invalid)
  })
})

describe('an Idempotency-Key', () => {
  test('belongs to one caller: the same key of two logins of one app makes two clients', async () => {
    const body = { name: 'one', capabilities: [] }
    const neighbour = await world.company()
    const made = await Promise.all(
      [northwind, neighbour].map(({ calls }) => calls('POST', '/api/account/clients', { body, key: 'the-same-key' })),
    )
    expect(made.map(({ status }) => status)).toEqual([201, 201])
    expect(made[0]?.body['client_id']).not.toBe(made[1]?.body['client_id'])
    const again = await northwind.calls('POST', '/api/account/clients', { body, key: 'the-same-key' })
    expect(again.body['client_id']).toBe(made[0]?.body['client_id'])
  })
})
