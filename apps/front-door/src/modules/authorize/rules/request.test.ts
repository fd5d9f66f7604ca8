import type { ClientId, RegionCode, UserId } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import { type ClientFacts, commandClient } from '../../oauth/index.ts'
import { faultUrl } from './redirects.ts'
import { OUT_OF_BAND, validateRequest } from './request.ts'

const HOME = 'https://client.example/cb'
const CHALLENGE = 'A'.repeat(43)
const secret = { keyId: 'k', hash: new Uint8Array(32) }

function client(kind: ClientFacts['kind'], more: Partial<ClientFacts> = {}): ClientFacts {
  return {
    clientId: `${kind}_aaaaaaaaaaaaaaaaaaaaaaaa` as ClientId,
    kind,
    userId: 'u' as UserId,
    userType: 'company',
    serviceId: null,
    region: 'eu' as RegionCode,
    redirectUris: [HOME, 'https://client.example/other'],
    allowsDetached: true,
    epoch: 1,
    level: 'pro',
    levelChangedAt: null,
    secret,
    ...more,
  }
}

const query = { redirect_uri: HOME, state: 's', code_challenge: CHALLENGE, code_challenge_method: 'S256' }
const bare = { redirect_uri: HOME, state: 's' }

function faultOf(...given: Parameters<typeof validateRequest>) {
  const validated = validateRequest(...given)
  return validated.ok ? null : validated.fault
}

test('members that are left out have their defaults', () => {
  expect(validateRequest(client('svc'), bare)).toMatchObject({
    ok: true,
    request: { mode: 'signin', scope: '', challenge: null, nonce: null, isDetached: false, claims: null },
  })
  expect(validateRequest(client('svc'), { ...bare, scope: 'email openid profile' })).toMatchObject({
    request: { scope: 'openid' },
  })
})

describe('PKCE', () => {
  test.each([
    ['svc', secret, false],
    ['acct', secret, true],
    ['idw', secret, false],
    ['idw', null, true],
  ] as const)('%s with secret %o: required %s', (kind, own, isRequired) => {
    expect(faultOf(client(kind, { secret: own }), bare)?.code ?? null).toBe(isRequired ? 'invalid_request' : null)
    expect(faultOf(client(kind, { secret: own }), query)).toBeNull()
  })

  test.each([
    { code_challenge: CHALLENGE },
    { code_challenge: CHALLENGE, code_challenge_method: 'plain' },
    { code_challenge: CHALLENGE, code_challenge_method: 's256' },
    { code_challenge: `${CHALLENGE}=`, code_challenge_method: 'S256' },
    { code_challenge_method: 'S256' },
  ])('%o is refused for every client', (weak) => {
    for (const kind of ['svc', 'acct', 'idw'] as const) {
      expect(faultOf(client(kind), { ...bare, ...weak })?.code).toBe('invalid_request')
    }
  })
})

describe('a fault', () => {
  test('of client or redirect URI is not reported at the redirect URI', () => {
    expect(faultOf(null, query)?.to).toBeNull()
    expect(faultOf(client('svc', { redirectUris: [] }), query)?.to).toBeNull()
    expect(faultOf(client('svc'), { ...query, redirect_uri: `${HOME}/` })?.to).toBeNull()
    expect(faultOf(client('svc'), { state: 's' })?.to).toBeNull()
  })

  test('of any other kind is reported at the redirect URI, unless the request is detached', () => {
    expect(faultOf(client('svc'), { ...query, response_type: 'token' })).toMatchObject({
      code: 'unsupported_response_type',
      to: { redirectUri: HOME, state: 's' },
    })
    expect(faultOf(client('svc'), { ...query, response_type: 'token', response_mode: 'detached' })?.to).toBeNull()
  })

  test('keeps the query of the redirect URI', () => {
    const to = { redirectUri: 'https://client.example/cb?tenant=1', state: 'a&b' }
    const url = new URL(
      faultUrl('https://front.example', to, { code: 'access_denied', key: 'oauth.access_denied', sentence: 'no' }),
    )
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: '1',
      error: 'access_denied',
      error_description: 'no',
      state: 'a&b',
      iss: 'https://front.example',
    })
  })
})

test('each kind of client has its modes', () => {
  const allowed = (kind: ClientFacts['kind']) =>
    ['signin', 'one_time', 'connect', '2fa_enroll'].filter((mode) => faultOf(client(kind), { ...query, mode }) === null)
  expect([allowed('idw'), allowed('svc'), allowed('acct')]).toEqual([
    ['signin', 'one_time', 'connect', '2fa_enroll'],
    ['signin', '2fa_enroll'],
    ['signin'],
  ])
})

test('a detached request needs a state and no redirect URI; the first registered one is used', () => {
  expect(validateRequest(client('idw'), { state: 's', response_mode: 'detached' })).toMatchObject({
    ok: true,
    request: { isDetached: true, redirectUri: HOME },
  })
  expect(faultOf(client('idw'), { response_mode: 'detached' })?.to).toBeNull()
  expect(faultOf(client('idw'), { state: '', response_mode: 'detached' })).not.toBeNull()
})

test('a detached request needs a client with a secret, and a sign-in app that is registered for it', () => {
  const modes = ['signin', 'one_time', 'connect', '2fa_enroll']
  const allowed = (kind: ClientFacts['kind'], more: Partial<ClientFacts>) =>
    modes.filter((mode) => faultOf(client(kind, more), { ...query, response_mode: 'detached', mode }) === null)
  expect(allowed('idw', {})).toEqual(modes)
  expect(allowed('idw', { allowsDetached: false })).toEqual(['2fa_enroll'])
  expect(allowed('idw', { secret: null })).toEqual([])
  expect(allowed('svc', { allowsDetached: false })).toEqual(['signin', '2fa_enroll'])
  expect(allowed('acct', { allowsDetached: false })).toEqual(['signin'])
  const refused = { ...query, response_mode: 'detached' }
  expect(faultOf(client('idw', { allowsDetached: false }), refused)).toMatchObject({
    to: null,
    key: 'oauth.invalid_request',
  })
})

test('an OIDC claims object is not read as a list of claims', () => {
  const claimsOf = (more: object) => {
    const validated = validateRequest(client('idw'), { ...query, ...more })
    return validated.ok ? validated.request.claims : 'refused'
  }
  expect(claimsOf({ claims: '{"userinfo":{}}' })).toBeNull()
  expect(claimsOf({ claims: ' [1]' })).toBe(' [1]')
  expect(claimsOf({ claims: '[1]', app_claims: '[2]' })).toBe('[2]')
})

describe('the command', () => {
  const proven = { state: 's', code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const allows = (redirect_uri: string, more: object = {}) =>
    validateRequest(commandClient, { ...proven, redirect_uri, ...more }).ok

  test('takes a code at any port of 127.0.0.1, or on the page', () => {
    for (const port of [1, 8080, 65535]) expect(allows(`http://127.0.0.1:${port}/callback`)).toBe(true)
    expect(allows(OUT_OF_BAND)).toBe(true)
  })

  test.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:99999/callback',
    'http://localhost:8080/callback',
    'http://127.0.0.1:8080/other',
    'http://127.0.0.1:8080/callback#x',
    'https://127.0.0.1:8080/callback',
    'http://127.0.0.2:8080/callback',
    'https://client.example/cb',
  ])('takes none at %s', (address) => {
    expect(allows(address)).toBe(false)
  })

  test('needs PKCE, is not detached, and only signs in', () => {
    const address = 'http://127.0.0.1:8080/callback'
    expect(validateRequest(commandClient, { state: 's', redirect_uri: address }).ok).toBe(false)
    expect(allows(address, { response_mode: 'detached' })).toBe(false)
    for (const mode of ['one_time', 'connect', '2fa_enroll']) expect(allows(address, { mode })).toBe(false)
  })
})
