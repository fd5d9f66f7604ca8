import { randomUUID } from 'node:crypto'
import { parseParty } from '@sealpost/bus'
import { proveLoginAsk, putGrantAsk } from '@sealpost/protocol'
import { type Account, claimsOf, openWorld } from '@sealpost/testkit'
import { deriveLogin, newKdf, passwordChangeBody, type PasswordWrap } from '@sealpost/vault'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  attempt,
  createAccountClient,
  exchange,
  type OAuthClient,
  obtainCode,
  obtainTokens,
  renew,
  token,
  type Tokens,
  tokensOf,
} from './oauth/relying-party.ts'
import { INVALID_GRANT, openTarget, statusAndBody } from './oauth/target.ts'
import { postForm } from './wire.ts'

// Of its own, because the clock is set back.
const world = await openWorld({ own: true })
const { northwind } = await world.personas('northwind')
const target = await openTarget(world)

describe('a refresh token', () => {
  let tokens: Tokens
  beforeEach(async () => {
    tokens = await obtainTokens(world, target.acct, northwind)
  })

  test('rotates on every use, and the old one ends the family [TOKEN-10]', async () => {
    const next = tokensOf(await renew(world, target.acct, tokens.refresh))
    expect(next.refresh).not.toBe(tokens.refresh)
    const newest = tokensOf(await renew(world, target.acct, next.refresh))
    await target.expectAlive(newest)
    expect(await statusAndBody(renew(world, target.acct, tokens.refresh))).toEqual(INVALID_GRANT)
    for (const dead of [tokens, next, newest]) await target.expectDead(target.acct, dead)
  })

  test('used twenty times at once gives exactly one successor, and then the family is revoked, the successor included [TOKEN-10]', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => renew(world, target.acct, tokens.refresh)))
    await target.expectOneRevokedWinner(target.acct, answers)
    await target.expectDead(target.acct, tokens)
  })

  test('is refused to another client and stays valid', async () => {
    expect(await statusAndBody(renew(world, target.other, tokens.refresh))).toEqual(INVALID_GRANT)
    expect(await statusAndBody(renew(world, target.svc, tokens.refresh))).toEqual(INVALID_GRANT)
    await target.expectAlive(tokens)
    expect((await renew(world, target.acct, tokens.refresh)).status).toBe(200)
  })

  test('expires after 30 days without use and after 90 days at most', async () => {
    const day = 86_400_000
    const start = world.clock.now()
    world.clock.advance(29 * day)
    let current = tokensOf(await renew(world, target.acct, tokens.refresh))
    world.clock.advance(29 * day)
    current = tokensOf(await renew(world, target.acct, current.refresh))
    world.clock.advance(29 * day)
    current = tokensOf(await renew(world, target.acct, current.refresh))
    world.clock.advance(3 * day)
    expect(await statusAndBody(renew(world, target.acct, current.refresh))).toEqual(INVALID_GRANT)
    world.clock.set(start)
    const unused = await obtainTokens(world, target.acct, northwind)
    world.clock.advance(30 * day)
    expect(await statusAndBody(renew(world, target.acct, unused.refresh))).toEqual(INVALID_GRANT)
    world.clock.set(start)
  })

  test('is revoked when the secret of its client is regenerated', async () => {
    const client = await createAccountClient(northwind)
    const old = await obtainTokens(world, client, northwind)
    const path = `/api/account/clients/${client.clientId}/regenerate-secret`
    const { body } = await northwind.calls('POST', path)
    const clientSecret = String(body['client_secret'])
    await target.expectDead({ ...client, clientSecret }, old)
  })

  test('revoked at the revocation endpoint ends its family, and no other client can do that', async () => {
    expect((await revoke(target.other, tokens.refresh)).status).toBe(200)
    await target.expectAlive(tokens)
    const done = await revoke(target.acct, tokens.refresh)
    expect([done.status, await done.text()]).toEqual([200, ''])
    await target.expectDead(target.acct, tokens)
    expect((await revoke(target.acct, tokens.refresh)).status).toBe(200)
    expect((await revoke(target.acct, 'eu.unknown')).status).toBe(200)
    expect((await revoke({ ...target.acct, clientSecret: 'wrong' }, tokens.refresh)).status).toBe(401)
  })
})

test('a refusal because of the company’s level does not consume the refresh token', async () => {
  const { refresh } = await obtainTokens(world, target.svc, northwind)
  await northwind.setLevel('free')
  world.clock.advance(8 * 86_400_000)
  for (let tries = 0; tries < 2; tries += 1) {
    const refused = await renew(world, target.svc, refresh)
    expect([refused.status, refused.body['error'], refused.body['error_key']]).toEqual([
      400,
      'unauthorized_client',
      'account.level_required',
    ])
  }
  await northwind.setLevel('basic')
  expect((await renew(world, target.svc, refresh)).status).toBe(200)
})

test('a form that is too large is refused alike at the front door and in a region', async () => {
  const { clientId: client_id, clientSecret } = target.svc
  const secret = { client_id, client_secret: clientSecret ?? '' }
  const form = { ...secret, grant_type: 'refresh_token', refresh_token: `eu.${'x'.repeat(300_000)}` }
  for (const base of [target.front, northwind.apiUrl]) {
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

  test.each(['svc', 'acct'] as const)(
    'is required for every grant of a client of kind %s [CLIENT-04]',
    async (kind) => {
      const client = target[kind]
      const made = attempt(client)
      const code = await obtainCode(world, made, northwind)
      const { refresh } = await obtainTokens(world, client, northwind)
      for (const clientSecret of ['wrong', '', null]) {
        const caller = { ...client, clientSecret }
        for (const answer of [
          await token(world, caller, { grant_type: 'client_credentials' }),
          await exchange(world, caller, made, code),
          await renew(world, caller, refresh),
        ])
          expect([answer.status, answer.body['error_key']]).toEqual([401, 'oauth.bad_client'])
      }
      // The refused calls have consumed nothing.
      expect((await exchange(world, client, made, code)).status).toBe(200)
      expect((await renew(world, client, refresh)).status).toBe(200)
    },
  )
})

function revoke({ clientId, clientSecret }: OAuthClient, refreshToken: string): Promise<Response> {
  const form = { client_id: clientId, client_secret: clientSecret ?? '', token: refreshToken }
  return fetch(`${target.front}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams(form) })
}

test('a new password revokes the grants of the old one before the call answers [AUTH-15]', async () => {
  const owner = await world.company()
  const client = await createAccountClient(owner)
  const tokens = await obtainTokens(world, client, owner)
  await target.expectAlive(tokens)
  await changePassword(owner)
  await target.expectDead(client, tokens)
})

test('an authorize request with a proved login is refused after the password or the session has ended', async () => {
  const { bus } = world.frontDoor.platform
  const [to, owner] = [parseParty('eu'), await world.company()]
  const { userId, authVerifier } = owner
  const body = { user_id: userId, auth_verifier: authVerifier, otp: null }
  const { credential } = await bus.ask(proveLoginAsk, { to, body })
  const { sid } = claimsOf((await owner.logIn()).token)
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

/** As the portal does: the account key lists everything that must be rewrapped. */
async function changePassword({ password, kdf: present, calls }: Account): Promise<void> {
  const bundle = (await calls('GET', '/api/account-key')).body
  const kdf = newKdf({ memoryKib: 32_768, passes: 2 })
  const body = await passwordChangeBody({
    current: await deriveLogin(password, present),
    next: await deriveLogin('another password', kdf),
    kdf,
    encryptedPrivateKey: readWrap(bundle['encrypted_private_key']),
    encryptedRecoveryKey: readWrap(bundle['encrypted_recovery_key']),
  })
  expect(await calls('PUT', '/api/account/password', { body })).toMatchObject({ status: 200 })
}

function readWrap(value: unknown): PasswordWrap {
  expect(value).toEqual({ iv: expect.any(String), data: expect.any(String) })
  return value as PasswordWrap
}
