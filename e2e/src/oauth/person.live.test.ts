import { importOpeningKey, openWrapper } from '@sealpost/crypto'
import { callSession, claimsOf, openWorld } from '@sealpost/testkit'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { bearer, get } from '../wire.ts'
import { attempt, exchange, REDIRECT, renew, tokensOf } from './relying-party.ts'
import { codeOf, openSignInApps, platform } from './signin-app.ts'

const world = await openWorld()
const { northwind, mara } = await world.personas('northwind', 'mara')
const apps = await openSignInApps(world)

describe('a sign-in app', () => {
  test('redirects a browser to the consent page with the same query', async () => {
    const { query } = attempt(apps.app, { mode: 'one_time', scope: 'openid' })
    const url = `${apps.front}/oauth2/authorize?${new URLSearchParams(query).toString()}`
    const answer = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect(answer.status).toBe(302)
    const target = new URL(answer.headers.get('location') ?? '')
    expect(`${target.origin}${target.pathname}`).toBe('http://app.sealpost.test/consent')
    expect(Object.fromEntries(target.searchParams)).toEqual(query)
  })

  test('is described with its claims to the person app', async () => {
    const reply = await apps.view(attempt(apps.app))
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      app: {
        client_id: apps.app.clientId,
        name: 'Northwind login',
        company_name: northwind.companyName,
        require_2fa: false,
        public_key: apps.key.publicKey,
        claims_delivery: 'encrypted',
      },
      service: null,
      mode: 'signin',
      claims: [
        shownClaim({ name: 'mail', type: 'email', required: true }),
        shownClaim({ name: 'phone', type: 'phone' }),
      ],
      connected: false,
      enrolled: false,
      offer: null,
      assertion_challenge: null,
    })
  })

  test('reads who signed in, sealed, at the front door and at its region', async () => {
    const made = attempt(apps.app, { scope: 'openid', nonce: 'n1' })
    const values = { mail: await apps.sealed('mara@persons.example') }
    const decided = await apps.decide(made, { decision: 'approve', values })
    expect(decided.status).toBe(200)
    const back = new URL(String(decided.body['redirect_to']))
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual([made.query['state'], apps.front])
    const code = back.searchParams.get('code') ?? ''
    expect(code).toMatch(/^us\./)
    const reply = await exchange(world, apps.app, made, code)
    expect(reply.body).toMatchObject({ mode: 'signin', api_url: world.eu.url, scope: 'openid' })
    const tokens = tokensOf(reply)
    expect(claimsOf(tokens.access)).toMatchObject({
      sub: mara.userId,
      ut: 'person',
      rgn: 'eu',
      client_id: apps.app.clientId,
    })

    const keys = createRemoteJWKSet(new URL(`${apps.front}/oauth2/jwks`))
    const { payload } = await jwtVerify(String(reply.body['id_token']), keys, {
      issuer: apps.front,
      audience: apps.app.clientId,
    })
    expect(payload).toMatchObject({ sub: mara.shareCode, nonce: 'n1', email_verified: false })
    expect(payload).not.toHaveProperty('email')

    for (const base of [apps.front, world.eu.url ?? '']) {
      const info = await get(`${base}/api/oauth/userinfo`, bearer(tokens.access))
      expect(info.body).toEqual({
        sub: mara.shareCode,
        share_code: mara.shareCode,
        mode: 'signin',
        two_factor: false,
        values,
        values_attestation: {},
      })
    }
    const opening = await importOpeningKey(platform, apps.key.privateKey)
    if (!opening.ok) throw new Error('the app cannot open the value')
    const opened = await openWrapper(platform, opening.value, values.mail)
    expect(opened.ok && opened.value).toBe('mara@persons.example')
  })

  test('reaches no other route with its tokens [WHITELIST-27]', async () => {
    const { access } = await apps.signIn(apps.app)
    for (const path of ['/api/account', '/api/company-data/whoami', '/api/account/clients']) {
      const { status, body } = await get(`${world.eu.url}${path}`, bearer(access))
      expect([status, body['error_key']]).toEqual([403, 'auth.client_endpoint_forbidden'])
    }
  })

  test('its tokens are refused at both places after the grant has ended', async () => {
    const tokens = await apps.signIn(apps.app)
    const next = tokensOf(await renew(world, apps.app, tokens.refresh))
    expect((await renew(world, apps.app, tokens.refresh)).status).toBe(400)
    for (const { access } of [tokens, next]) {
      for (const base of [apps.front, world.eu.url ?? '']) {
        const { status, body } = await get(`${base}/api/oauth/userinfo`, bearer(access))
        expect([status, body['error_key']]).toEqual([401, 'auth.token_invalid'])
      }
    }
  })

  test('without a secret must use PKCE', async () => {
    const { query, verifier } = attempt(apps.publicApp)
    const { code_challenge: _stripped, code_challenge_method: _too, ...bare } = query
    expect((await apps.view({ query: bare, verifier })).body['error_key']).toBe('oauth.invalid_request')
    expect((await apps.decide({ query: bare, verifier }, { decision: 'approve' })).body['error_key']).toBe(
      'oauth.invalid_request',
    )
    await apps.signIn(apps.publicApp)
    const made = attempt(apps.publicApp)
    const code = codeOf(await apps.decide(made, { decision: 'approve' }))
    const withSecret = await exchange(world, { ...apps.publicApp, clientSecret: 'something' }, made, code)
    expect([withSecret.status, withSecret.body['error_key']]).toEqual([401, 'oauth.bad_client'])
  })

  test('that accepts plaintext gets text in claims, and a name and address, also in the ID token', async () => {
    const made = attempt(apps.plainApp, { scope: 'openid' })
    const values = { mail: 'mara@elsewhere.example' }
    for (const [email, email_verified] of [
      [mara.email, true],
      ['mara@elsewhere.example', false],
    ] as const) {
      const id_claims = { name: 'Mara', email }
      const reply = await exchange(
        world,
        apps.plainApp,
        made,
        codeOf(await apps.decide(made, { decision: 'approve', values, id_claims })),
      )
      expect(claimsOf(String(reply.body['id_token']))).toMatchObject({ name: 'Mara', email, email_verified })
      const info = await get(`${apps.front}/api/oauth/userinfo`, bearer(tokensOf(reply).access))
      expect(info.body).toEqual({
        sub: mara.shareCode,
        share_code: mara.shareCode,
        mode: 'signin',
        two_factor: false,
        values: {},
        values_attestation: {},
        claims: values,
        ...id_claims,
        email_verified,
      })
    }
    const once = attempt(apps.plainApp, { mode: 'one_time' })
    expect((await apps.decide(once, { decision: 'approve', values })).body['error_key']).toBe('oauth.invalid_request')
  })
})

describe('the values that a person hands over', () => {
  test('must match the claims, and be sealed', async () => {
    const mail = await apps.sealed('a@example.com')
    const wrong = [
      {},
      { values: { mail: 'plain text' } },
      { values: { mail: '{"_enc":1}' } },
      { values: { mail, other: mail } },
      { values: { mail }, values_attestation: { phone: mail } },
      { values: { mail }, values_attestation: { mail: 'plain text' } },
    ]
    for (const sent of wrong) {
      const reply = await apps.decide(attempt(apps.app), { decision: 'approve', ...sent })
      expect([reply.status, reply.body['error_key']]).toEqual([400, 'oauth.invalid_request'])
    }
  })

  test('a request may require more claims than the app, never fewer', async () => {
    const stricter = [
      { name: 'phone', required: true },
      { name: 'mail', required: false, verified: true, verified_max_age_days: 30 },
    ]
    const reply = await apps.view(attempt(apps.app, { app_claims: JSON.stringify(stricter) }))
    expect(reply.body['claims']).toEqual([
      shownClaim({ name: 'mail', type: 'email', required: true, verified: true, verified_max_age_days: 30 }),
      shownClaim({ name: 'phone', type: 'phone', required: true }),
    ])
    expect((await apps.view(attempt(apps.app, { claims: JSON.stringify(stricter) }))).body['claims']).toEqual(
      reply.body['claims'],
    )
    expect((await apps.view(attempt(apps.app, { claims: '{"id_token":{"email":null}}' }))).status).toBe(200)
    for (const app_claims of [
      '{}',
      'x',
      '[1]',
      '[{"name":"secret"}]',
      '[{"name":"phone","verified":true}]',
      '[{"name":"mail","verified_max_age_days":0}]',
    ]) {
      expect((await apps.view(attempt(apps.app, { app_claims }))).body['error_key']).toBe('oauth.invalid_request')
    }
    const once = { mode: 'one_time', app_claims: '[{"name":"mail","verified":true}]' }
    expect((await apps.view(attempt(apps.app, once))).body['error_key']).toBe('oauth.invalid_request')
  })

  test('may include claims that only the request names, by app_claims and by scope', async () => {
    const made = attempt(apps.plainApp, {
      scope: 'openid profile email',
      app_claims: JSON.stringify([{ name: 'born', type: 'date_of_birth', required: true }]),
    })
    const viewed = await apps.view(made)
    expect(viewed.body['claims']).toEqual([
      shownClaim({ name: 'mail', type: 'email', required: true }),
      shownClaim({ name: 'phone', type: 'phone' }),
      shownClaim({ name: 'born', type: 'date_of_birth', required: true }),
      shownClaim({ name: 'name', type: 'text' }),
      shownClaim({ name: 'email', type: 'email' }),
    ])
    const values = { mail: 'm@example.com', name: 'Mara', email: mara.email }
    expect((await apps.decide(made, { decision: 'approve', values })).body['error_key']).toBe('oauth.invalid_request')
    const all = { ...values, born: '1990-01-31' }
    const code = codeOf(await apps.decide(made, { decision: 'approve', values: all }))
    const reply = await exchange(world, apps.plainApp, made, code)
    const known = { name: 'Mara', email: mara.email, email_verified: true }
    expect(claimsOf(String(reply.body['id_token']))).toMatchObject(known)
    const info = await get(`${apps.front}/api/oauth/userinfo`, bearer(tokensOf(reply).access))
    expect(info.body).toMatchObject({ values: {}, claims: all, ...known })
  })

  test('a denial is redirected to the app', async () => {
    const made = attempt(apps.app)
    const reply = await apps.decide(made, { decision: 'deny' })
    const back = new URL(String(reply.body['redirect_to']))
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT)
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
      'access_denied',
      made.query['state'],
    ])
  })

  test('modes connect and 2fa_enroll require a service and are refused until they are supported', async () => {
    for (const mode of ['connect', '2fa_enroll']) {
      const refused = await apps.view(attempt(apps.app, { mode }))
      expect([refused.status, refused.body['error_key']]).toEqual([400, 'oauth.connect_no_service'])
    }
    const connecting = await apps.createApp({ service_id: northwind.serviceId })
    const viewed = await apps.view(attempt(connecting, { mode: 'connect' }))
    expect(viewed.body['service']).toEqual({ id: northwind.serviceId, name: northwind.serviceName })
    for (const mode of ['connect', '2fa_enroll']) {
      const reply = await apps.decide(attempt(connecting, { mode }), { decision: 'approve' })
      expect([reply.status, reply.body['error_key']]).toEqual([400, 'oauth.invalid_request'])
      expect(String(reply.body['error'])).toContain('connect')
      expect((await apps.decide(attempt(connecting, { mode }), { decision: 'deny' })).body).toHaveProperty(
        'redirect_to',
      )
    }
  })
})

describe('only a person', () => {
  test('with a valid session can view and decide', async () => {
    const made = attempt(apps.app)
    const url = `${apps.front}/oauth2/authorize?${new URLSearchParams(made.query).toString()}`
    expect((await get(url, { accept: 'application/json' })).body['error_key']).toBe('auth.token_missing')
    const company = { accept: 'application/json', ...bearer(northwind.token) }
    expect((await get(url, company)).body['error_key']).toBe('auth.client_endpoint_forbidden')
    const machine = { accept: 'application/json', ...bearer(await world.token(northwind)) }
    expect((await get(url, machine)).body['error_key']).toBe('auth.client_endpoint_forbidden')

    const session = await mara.logIn()
    expect((await apps.view(made, session.token)).status).toBe(200)
    await callSession(apps.front, 'DELETE', '/api/session?user_type=person', { cookies: session.cookies })
    for (const reply of [
      await apps.view(made, session.token),
      await apps.decide(made, { decision: 'approve' }, session.token),
    ]) {
      expect([reply.status, reply.body['error_key']]).toEqual([401, 'auth.token_invalid'])
    }
  })
})

function shownClaim(claim: object) {
  return { label: null, suggest: null, required: false, verified: false, verified_max_age_days: null, ...claim }
}
