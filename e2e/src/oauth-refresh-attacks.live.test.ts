import { randomUUID } from 'node:crypto'
import { parseParty } from '@sealpost/bus'
import { proveLoginAsk, putGrantAsk } from '@sealpost/protocol'
import { claimsOf, logIn, newOwner, northwind } from '@sealpost/testkit'
import { deriveLogin, newKdf, passwordChangeBody, type PasswordWrap } from '@sealpost/vault'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  attempt,
  createAccountClient,
  exchange,
  type OAuthClient,
  obtainCode,
  obtainTokens,
  renew,
  type Tokens,
  tokensOf,
} from './oauth/relying-party.ts'
import { INVALID_GRANT, openTarget, shown, type Target } from './oauth/target.ts'
import { bearer, postForm } from './wire.ts'

let target: Target

beforeAll(async () => {
  target = await openTarget()
})
afterAll(() => target.office.close())

describe('a refresh token', () => {
  let tokens: Tokens
  beforeEach(async () => {
    tokens = await obtainTokens(target.office, target.acct, northwind)
  })

  test('rotates on every use, and the old one ends the family [TOKEN-10]', async () => {
    const next = tokensOf(await renew(target.office, target.acct, tokens.refresh))
    expect(next.refresh).not.toBe(tokens.refresh)
    const newest = tokensOf(await renew(target.office, target.acct, next.refresh))
    await target.expectAlive(newest)
    expect(await shown(renew(target.office, target.acct, tokens.refresh))).toEqual(INVALID_GRANT)
    for (const dead of [tokens, next, newest]) await target.expectDead(target.acct, dead)
  })

  test('raced by twenty gives exactly one successor, and then the family is dead for all, the winner included [TOKEN-10]', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => renew(target.office, target.acct, tokens.refresh)),
    )
    await target.expectOneWinnerAndItsDeath(target.acct, answers)
    await target.expectDead(target.acct, tokens)
  })

  test('is worthless to another client, which ends nothing', async () => {
    expect(await shown(renew(target.office, target.stranger, tokens.refresh))).toEqual(INVALID_GRANT)
    expect(await shown(renew(target.office, target.svc, tokens.refresh))).toEqual(INVALID_GRANT)
    await target.expectAlive(tokens)
    expect((await renew(target.office, target.acct, tokens.refresh)).status).toBe(200)
  })

  test('lives 30 days unused and 90 days at most', async () => {
    const day = 86_400_000
    const start = target.office.two.clock.now()
    target.office.two.clock.advance(29 * day)
    let current = tokensOf(await renew(target.office, target.acct, tokens.refresh))
    target.office.two.clock.advance(29 * day)
    current = tokensOf(await renew(target.office, target.acct, current.refresh))
    target.office.two.clock.advance(29 * day)
    current = tokensOf(await renew(target.office, target.acct, current.refresh))
    target.office.two.clock.advance(3 * day)
    expect(await shown(renew(target.office, target.acct, current.refresh))).toEqual(INVALID_GRANT)
    target.office.two.clock.set(start)
    const unused = await obtainTokens(target.office, target.acct, northwind)
    target.office.two.clock.advance(30 * day)
    expect(await shown(renew(target.office, target.acct, unused.refresh))).toEqual(INVALID_GRANT)
    target.office.two.clock.set(start)
  })

  test('ends with the secret that it was given for', async () => {
    const client = await createAccountClient(target.office.northwind)
    const old = await obtainTokens(target.office, client, northwind)
    const path = `/api/account/clients/${client.clientId}/regenerate-secret`
    const fresh = await fetch(`${target.office.northwind.apiUrl}${path}`, {
      method: 'POST',
      headers: bearer(target.office.northwind.token),
    })
    const body: unknown = await fresh.json()
    const clientSecret = String(Object(body).client_secret)
    await target.expectDead({ ...client, clientSecret }, old)
  })

  test('given back at the revocation endpoint takes its family along, and nobody else can do that', async () => {
    expect((await revoke(target.stranger, tokens.refresh)).status).toBe(200)
    await target.expectAlive(tokens)
    const done = await revoke(target.acct, tokens.refresh)
    expect([done.status, await done.text()]).toEqual([200, ''])
    await target.expectDead(target.acct, tokens)
    expect((await revoke(target.acct, tokens.refresh)).status).toBe(200)
    expect((await revoke(target.acct, 'eu.unknown')).status).toBe(200)
    expect((await revoke({ ...target.acct, clientSecret: 'wrong' }, tokens.refresh)).status).toBe(401)
  })
})

test('a refusal for the level of the company costs no refresh token', async () => {
  const { operations } = target.office.two.eu.core
  const { refresh } = await obtainTokens(target.office, target.svc, northwind)
  await operations.setLevel(northwind.companyId, 'free')
  target.office.two.clock.advance(8 * 86_400_000)
  for (let tries = 0; tries < 2; tries += 1) {
    const refused = await renew(target.office, target.svc, refresh)
    expect([refused.status, refused.body['error'], refused.body['error_key']]).toEqual([
      400,
      'unauthorized_client',
      'account.level_required',
    ])
  }
  await operations.setLevel(northwind.companyId, 'basic')
  expect((await renew(target.office, target.svc, refresh)).status).toBe(200)
})

test('a form that is too large is refused alike at both bases', async () => {
  const { clientId: client_id, clientSecret } = target.svc
  const secret = { client_id, client_secret: clientSecret ?? '' }
  const form = { ...secret, grant_type: 'refresh_token', refresh_token: `eu.${'x'.repeat(300_000)}` }
  for (const base of [target.front, target.office.northwind.apiUrl]) {
    const { status, body } = await postForm(`${base}/oauth2/token`, form)
    expect([status, body['error'], body['error_key']]).toEqual([400, 'invalid_request', 'oauth.invalid_request'])
  }
})

describe('the client’s secret', () => {
  test('in two places at once is refused', async () => {
    const headers = { authorization: `Basic ${btoa(`${target.svc.clientId}:${target.svc.clientSecret}`)}` }
    const { clientId: client_id, clientSecret } = target.svc
    const form = { grant_type: 'client_credentials', client_id }
    const both = await postForm(`${target.front}/oauth2/token`, { ...form, client_secret: clientSecret ?? '' }, headers)
    expect([both.status, both.body['error'], both.body['error_key']]).toEqual([
      400,
      'invalid_request',
      'oauth.invalid_request',
    ])
    expect((await postForm(`${target.front}/oauth2/token`, form, headers)).status).toBe(200)
  })

  test('is needed for codes and refresh tokens, too [CLIENT-04]', async () => {
    const made = attempt(target.acct)
    const code = await obtainCode(target.office, made, northwind)
    for (const clientSecret of ['wrong', null]) {
      const refused = await exchange(target.office, { ...target.acct, clientSecret }, made, code)
      expect([refused.status, refused.body['error_key']]).toEqual([401, 'oauth.bad_client'])
    }
    expect((await exchange(target.office, target.acct, made, code)).status).toBe(200)
  })
})

function revoke({ clientId, clientSecret }: OAuthClient, refreshToken: string): Promise<Response> {
  const form = { client_id: clientId, client_secret: clientSecret ?? '', token: refreshToken }
  return fetch(`${target.front}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams(form) })
}

test('a new password ends what was granted with the old one, before it is answered [AUTH-15]', async () => {
  const { two } = target.office
  const owner = await newOwner(two, { userType: 'company', region: 'eu' })
  const { user } = owner
  const client = await createAccountClient(owner)
  const tokens = await obtainTokens(target.office, client, {
    email: user.email,
    login: { authVerifier: user.authVerifier },
  })
  await target.expectAlive(tokens)
  await changePassword(owner)
  await target.expectDead(client, tokens)
})

test('a login that was proved with a password, and a session, is worth nothing once that has ended', async () => {
  const { two } = target.office
  const { bus } = two.frontDoor.composed
  const [to, owner] = [parseParty('eu'), await newOwner(two, { userType: 'company', region: 'eu' })]
  const { userId, authVerifier } = owner.user
  const body = { user_id: userId, auth_verifier: authVerifier, otp: null }
  const { credential } = await bus.ask(proveLoginAsk, { to, body })
  const { sid } = claimsOf((await logIn(two, owner.user)).token)
  const proofs = [{ credential }, { session_id: String(sid) }]
  const put = (proof: object) => bus.ask(putGrantAsk, { to, body: grantOf(userId, proof) })
  for (const proof of proofs) await put(proof)
  await changePassword(owner)
  for (const proof of proofs) await expect(put(proof)).rejects.toMatchObject({ status: 401 })
})

function grantOf(userId: string, proof: object) {
  const consent = { type: 'urn:sealpost:consent', mode: 'signin', user_type: 'company', share_code: 'ABCDEF', proof }
  const facts = { two_factor: false, epoch: 1, used_in: 'eu', name: null, email: null, email_verified: false }
  const payload = { rar: [{ ...consent, ...facts }] }
  const { clientId: client_id } = target.acct
  return { grant_id: `eu.${randomUUID()}`, user_id: userId, client_id, used_in: 'eu', lives_seconds: 60, payload }
}

/** As the portal does it: the account key brings everything that has to be wrapped anew. */
async function changePassword({ user, ...owner }: Awaited<ReturnType<typeof newOwner>>): Promise<void> {
  const bundle = (await owner.call('GET', '/api/account-key')).body
  const kdf = newKdf({ memoryKib: 32_768, passes: 2 })
  const body = await passwordChangeBody({
    current: await deriveLogin(user.password, user.kdf),
    next: await deriveLogin('another password', kdf),
    kdf,
    encryptedPrivateKey: readWrap(bundle['encrypted_private_key']),
    encryptedRecoveryKey: readWrap(bundle['encrypted_recovery_key']),
  })
  expect(await owner.call('PUT', '/api/account/password', body)).toMatchObject({ status: 200 })
}

function readWrap(value: unknown): PasswordWrap {
  expect(value).toEqual({ iv: expect.any(String), data: expect.any(String) })
  return value as PasswordWrap
}
