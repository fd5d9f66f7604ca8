import { createHash } from 'node:crypto'
import { runStatement } from '@sealpost/postgres'
import { claimsOf, openWorld } from '@sealpost/testkit'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { bearer, get, postForm, WHOAMI } from '../wire.ts'
import {
  answerOf,
  attempt,
  createAccountClient,
  dataClientOf,
  exchange,
  obtainCode,
  obtainTokens,
  REDIRECT,
  renew,
  submitLogin,
  token,
  tokensOf,
} from './relying-party.ts'

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()
const svc = await dataClientOf(northwind)
const acct = await createAccountClient(northwind)
const front = world.frontDoor.url

describe('the authorization-code grant', () => {
  test('starts on a page that no other page can frame or script [TOKEN-16]', async () => {
    const answer = await askPage(attempt(svc).query)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(part)
    expect(policy).not.toContain("'unsafe-inline'")
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const html = await answer.text()
    expect(html).not.toMatch(/<script>| style=| on[a-z]+=/)
    expect(html).not.toMatch(/name="password"/)
  })

  test('the page escapes the parameters of the request', async () => {
    const state = '"><script>alert(1)</script>'
    const html = await (await askPage(attempt(svc, { state }).query)).text()
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&quot;&gt;&lt;script&gt;')
  })

  test('gives a data client a token for the same service after login, redirect and exchange [TOKEN-12] [TOKEN-17] [TOKEN-18]', async () => {
    const made = attempt(svc)
    const redirected = await submitLogin(world, made, northwind)
    expect(redirected.status).toBe(303)
    expect(redirected.headers.get('location')).toMatch(`${REDIRECT}?`)
    const answer = answerOf(redirected)
    expect([...answer.keys()].toSorted()).toEqual(['code', 'iss', 'state'])
    expect(answer.get('state')).toBe(made.query['state'])
    const reply = await exchange(world, svc, made, answer.get('code') ?? '')
    expect(reply.body).toEqual({
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^eu\.[\w-]{43}$/),
      api_url: world.eu.url,
      mode: 'signin',
    })
    expect(reply.headers.get('cache-control')).toContain('no-store')
    const whoami = await get(`${world.eu.url}${WHOAMI}`, bearer(tokensOf(reply).access))
    expect(whoami.body).toEqual({ company_user_id: northwind.companyId, service_id: northwind.serviceId })
    expect(claimsOf(tokensOf(reply).access)).toMatchObject({
      sub: northwind.companyId,
      client_id: svc.clientId,
      rgn: 'eu',
    })
  })

  test('gives an account client a token of the user who logged in, and a refresh token [TOKEN-13] [TOKEN-25]', async () => {
    const { access, refresh } = await obtainTokens(world, acct, northwind)
    const claims = claimsOf(access)
    expect(claims).toMatchObject({
      sub: northwind.companyId,
      ut: 'company',
      client_id: acct.clientId,
      rgn: 'eu',
      ep: 1,
    })
    expect(claims['sid']).toMatch(/^eu\./)
    expect((await get(`${world.eu.url}/api/account`, bearer(access))).body['id']).toBe(northwind.companyId)
    const renewed = await renew(world, acct, refresh)
    expect(renewed.status).toBe(200)
    expect(Object.keys(renewed.body).toSorted()).toEqual([
      'access_token',
      'api_url',
      'expires_in',
      'refresh_token',
      'token_type',
    ])
    expect(claimsOf(tokensOf(renewed).access)).toMatchObject({ sub: northwind.companyId, sid: claims['sid'] })
  })

  test('the user who logged in is in the token of an account client, and not the company that the client is bound to [AUTH-06]', async () => {
    const made = attempt(acct)
    const code = await obtainCode(world, made, northwind)
    // Only the owner can log in for an account client, and has the id of the company: the grant is given to another user.
    const colleague = world.eu.platform.ids.uuid()
    const sql = `with code as (
        update grants.token set payload = jsonb_set(payload, '{accountId}', to_jsonb($2::text))
        where sha256 = $1 returning grant_id
      )
      update grants.grant set payload = jsonb_set(payload, '{accountId}', to_jsonb($2::text))
      where id = (select grant_id from code) returning id`
    const sha256 = createHash('sha256').update(code).digest()
    const { database } = world.eu.platform
    const given = await database.transaction((tx) => runStatement(tx, sql, [sha256, colleague]))
    expect(given).toHaveLength(1)
    const { access, refresh } = tokensOf(await exchange(world, acct, made, code))
    const renewed = tokensOf(await renew(world, acct, refresh))
    for (const issued of [access, renewed.access]) {
      expect(claimsOf(issued)).toMatchObject({ sub: colleague, ut: 'company', client_id: acct.clientId })
    }
    const machine = await token(world, acct, { grant_type: 'client_credentials' })
    expect(claimsOf(String(machine.body['access_token']))['sub']).toBe(northwind.companyId)
  })

  test('client_credentials gives an account client a token of the company itself [AUTH-05]', async () => {
    const reply = await token(world, acct, { grant_type: 'client_credentials' })
    expect(claimsOf(String(reply.body['access_token']))['sub']).toBe(northwind.companyId)
    expect(reply.body).not.toHaveProperty('refresh_token')
  })

  test('a person, another company and a wrong password cannot complete it [AUTH-07]', async () => {
    for (const client of [svc, acct]) {
      for (const user of [mara, harborline]) {
        const answer = answerOf(await submitLogin(world, attempt(client), user))
        expect([answer.get('error'), answer.get('code')]).toEqual(['access_denied', null])
      }
      const wrong = await submitLogin(world, attempt(client), { ...northwind, login: mara.login })
      expect([wrong.status, wrong.headers.get('location')]).toEqual([401, null])
      const unknown = await submitLogin(world, attempt(client), { ...northwind, email: 'unknown@example.com' })
      const withoutAddress = (html: string) => html.replaceAll(/value="[^"]*"/g, '')
      expect(unknown.status).toBe(401)
      expect(withoutAddress(await unknown.text())).toBe(withoutAddress(await wrong.text()))
    }
  })

  test('a program gets the same refusals as JSON, and the same redirect', async () => {
    const { query } = attempt(svc)
    const send = (more: object) => postJson({ ...query, email: northwind.email, ...more })
    const wrong = await send({ auth_verifier: mara.login.authVerifier })
    expect([wrong.status, await wrong.json()]).toEqual([401, expect.objectContaining({ error_key: 'session.invalid' })])
    const right = await send({ auth_verifier: northwind.login.authVerifier })
    expect([right.status, answerOf(right).get('state')]).toEqual([303, query['state']])
  })

  test('is refused to both kinds of clients without a redirect URI [TOKEN-13] [TOKEN-14]', async () => {
    const made = await northwind.calls('POST', '/api/account/clients', {
      body: { name: 'Bare', capabilities: [] },
    })
    const [clientId, clientSecret] = [String(made.body['client_id']), String(made.body['client_secret'])]
    const bare = { clientId, clientSecret, redirectUri: REDIRECT }
    const other = { clientId: harborline.clientId, clientSecret: harborline.clientSecret, redirectUri: REDIRECT }
    for (const client of [bare, other]) {
      expect((await submitLogin(world, attempt(client), northwind)).status).toBe(400)
      const reply = await exchange(world, client, attempt(client), 'eu.code')
      expect([reply.status, reply.body['error']]).toEqual([400, 'unauthorized_client'])
    }
    expect((await renew(world, bare, 'eu.token')).body['error']).toBe('unauthorized_client')
  })

  test('redirects to a custom scheme of a program, and leaves its client_credentials grant as it is', async () => {
    for (const redirectUri of ['com.example.desk:/callback', 'desk://callback', 'urn:example:desk']) {
      const body = { name: 'Desk', capabilities: [], redirect_uri: redirectUri }
      const { body: made } = await northwind.calls('POST', '/api/account/clients', { body })
      const desk = { clientId: String(made['client_id']), clientSecret: String(made['client_secret']), redirectUri }
      expect((await token(world, desk, { grant_type: 'client_credentials' })).status).toBe(200)
      const page = await fetch(`${front}/oauth2/authorize?${new URLSearchParams(attempt(desk).query).toString()}`, {
        headers: { accept: 'text/html' },
      })
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining(`<strong>${new URL(redirectUri).protocol}</strong>`),
      ])
      const tokens = await obtainTokens(world, desk, northwind)
      expect((await renew(world, desk, tokens.refresh)).status).toBe(200)
    }
  })

  test('exactly three grants exist [TOKEN-02] [TOKEN-04]', async () => {
    for (const grant_type of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code', 'x']) {
      const refused = await token(world, svc, { grant_type })
      expect([grant_type, refused.status, refused.body['error']]).toEqual([grant_type, 400, 'unsupported_grant_type'])
    }
    expect((await token(world, svc, { grant_type: '' })).status).toBe(400)
    expect((await token(world, svc, { grant_type: 'client_credentials' })).status).toBe(200)
    expect((await token(world, svc, { grant_type: 'authorization_code' })).body['error']).toBe('invalid_request')
    expect((await token(world, svc, { grant_type: 'refresh_token' })).body['error']).toBe('invalid_request')
  })
})

test('a delegate of the service signs in for its data client, also from another region, until the delegation ends', async () => {
  const delegate = await world.company({ region: 'us' })
  expect(answerOf(await submitLogin(world, attempt(svc), delegate)).get('error')).toBe('access_denied')
  const body = { share_code: delegate.shareCode, role: 'operator', services: [northwind.serviceId] }
  const added = await northwind.calls('POST', '/api/delegates', { body })
  expect(added.status).toBe(201)
  expect(answerOf(await submitLogin(world, attempt(acct), delegate)).get('error')).toBe('access_denied')

  const made = attempt(svc)
  const code = await obtainCode(world, made, delegate)
  expect(code).toMatch(/^us\./)
  const tokens = tokensOf(await exchange(world, svc, made, code))
  expect(claimsOf(tokens.access)).toMatchObject({ sub: delegate.userId, rgn: 'eu', client_id: svc.clientId })
  const whoami = () => get(`${world.eu.url}${WHOAMI}`, bearer(tokens.access))
  expect((await whoami()).body).toEqual({ company_user_id: northwind.companyId, service_id: northwind.serviceId })

  // The grant is stored in us and its tokens are used in eu: a replay must revoke both.
  const again = await exchange(world, svc, made, code)
  expect([again.status, (await whoami()).status]).toEqual([400, 401])

  const kept = await obtainTokens(world, svc, delegate)
  const whoamiKept = () => get(`${world.eu.url}${WHOAMI}`, bearer(kept.access))
  expect((await whoamiKept()).status).toBe(200)
  expect((await northwind.calls('DELETE', `/api/delegates/${String(added.body['id'])}`)).status).toBe(204)
  // At once, although the token has not expired.
  expect((await whoamiKept()).status).toBe(401)
  expect((await renew(world, svc, kept.refresh)).body['error']).toBe('invalid_grant')
})

test('scope openid gives an ID token that the published keys verify', async () => {
  const made = attempt(acct, { scope: 'openid profile', nonce: 'n-0S6_WzA2Mj' })
  const reply = await exchange(world, acct, made, await obtainCode(world, made, northwind))
  expect(reply.body['scope']).toBe('openid')
  const keys = createRemoteJWKSet(new URL(`${front}/oauth2/jwks`))
  const { payload, protectedHeader } = await jwtVerify(String(reply.body['id_token']), keys, {
    issuer: front,
    audience: acct.clientId,
    algorithms: ['RS256'],
  })
  expect(protectedHeader.alg).toBe('RS256')
  expect(payload).toMatchObject({ sub: northwind.shareCode, nonce: 'n-0S6_WzA2Mj', email_verified: false })
  expect((await exchange(world, acct, attempt(acct), 'eu.x')).body).not.toHaveProperty('id_token')
})

test('every endpoint of the discovery document answers', async () => {
  const { body } = await get(`${front}/.well-known/openid-configuration`)
  expect(body).toEqual({
    issuer: front,
    authorization_endpoint: `${front}/oauth2/authorize`,
    token_endpoint: `${front}/oauth2/token`,
    revocation_endpoint: `${front}/oauth2/revoke`,
    userinfo_endpoint: `${front}/api/oauth/userinfo`,
    jwks_uri: `${front}/oauth2/jwks`,
    scopes_supported: ['openid', 'profile', 'email'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'detached'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
  expect((await get(`${front}/api/oauth/userinfo`)).status).toBe(401)
  expect((await postForm(`${front}/oauth2/revoke`, {})).status).toBe(400)
})

function askPage(query: Readonly<Record<string, string>>): Promise<Response> {
  const url = `${front}/oauth2/authorize?${new URLSearchParams(query).toString()}`
  return fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
}

function postJson(body: object): Promise<Response> {
  return fetch(`${front}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    redirect: 'manual',
  })
}
