import { createHash } from 'node:crypto'
import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import {
  answerOf,
  attempt,
  exchange,
  obtainCode,
  REDIRECT,
  submitLogin,
  token,
  tokensOf,
} from './oauth/relying-party.ts'
import { INVALID_GRANT, openTarget, statusAndBody } from './oauth/target.ts'
import { get } from './wire.ts'

const world = await openWorld()
const { northwind } = await world.personas('northwind')
const target = await openTarget(world)

describe('a code', () => {
  test.each([
    ['at once', 0],
    ['long after its 60 seconds', 600_000],
  ])('works once; a second use %s is refused and revokes every token that came from it', async (_when, laterMs) => {
    const made = attempt(target.svc)
    const code = await obtainCode(world, made, northwind)
    const tokens = tokensOf(await exchange(world, target.svc, made, code))
    world.clock.advance(laterMs)
    await target.expectAlive(tokens)
    expect(await statusAndBody(exchange(world, target.svc, made, code))).toEqual(INVALID_GRANT)
    await target.expectDead(target.svc, tokens)
  })

  test('expires after 60 seconds', async () => {
    const made = attempt(target.svc)
    const code = await obtainCode(world, made, northwind)
    world.clock.advance(60_000)
    expect(await statusAndBody(exchange(world, target.svc, made, code))).toEqual(INVALID_GRANT)
  })

  test('exchanged twenty times at once gives tokens at most once, and none of them works afterwards', async () => {
    const made = attempt(target.svc)
    const code = await obtainCode(world, made, northwind)
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(world, target.svc, made, code)))
    await target.expectOneRevokedWinner(target.svc, answers)
  })

  test('is refused to another client like an unknown code, and stays valid', async () => {
    const made = attempt(target.acct)
    const code = await obtainCode(world, made, northwind)
    for (const other of [target.other, target.svc]) {
      expect(await statusAndBody(exchange(world, other, made, code))).toEqual(INVALID_GRANT)
    }
    const unknown = await statusAndBody(exchange(world, target.other, made, `eu.${'A'.repeat(43)}`))
    expect(await statusAndBody(exchange(world, target.other, made, code))).toEqual(unknown)
    expect((await exchange(world, target.acct, made, code)).status).toBe(200)
  })

  test('is bound to the exact redirect URI of its request [TOKEN-03]', async () => {
    const made = attempt(target.svc)
    const code = await obtainCode(world, made, northwind)
    const near = [`${REDIRECT}/`, `${REDIRECT}?a=b`, REDIRECT.replace('https', 'http'), REDIRECT.toUpperCase()]
    for (const redirect_uri of near) {
      expect(await statusAndBody(exchange(world, target.svc, made, code, { redirect_uri }))).toEqual(INVALID_GRANT)
    }
    const { verifier: code_verifier } = made
    const without = await token(world, target.svc, { grant_type: 'authorization_code', code, code_verifier })
    expect([without.status, without.body['error_key']]).toEqual([400, 'oauth.invalid_request'])
    expect((await exchange(world, target.svc, made, code)).status).toBe(200)
  })

  test('with an unknown region or of another form is refused alike', async () => {
    const made = attempt(target.svc)
    const codes = [`eu.${'A'.repeat(43)}`, `xx.${'A'.repeat(43)}`, 'eu.', '.', 'a', '%00', 'eu.\u0000']
    for (const code of codes)
      expect(await statusAndBody(exchange(world, target.svc, made, code))).toEqual(INVALID_GRANT)
  })
})

describe('PKCE', () => {
  test('an account client gets no code with the plain method, a challenge without a method or no challenge [TOKEN-15]', async () => {
    const { verifier, query } = attempt(target.acct)
    const { code_challenge, code_challenge_method, ...bare } = query
    const downgrades = [
      bare,
      { ...bare, code_challenge: verifier, code_challenge_method: 'plain' },
      { ...bare, code_challenge: verifier },
      { ...bare, code_challenge: code_challenge ?? '' },
      { ...bare, code_challenge_method: code_challenge_method ?? '' },
      { ...bare, code_challenge: 'short', code_challenge_method: 'S256' },
      { ...bare, code_challenge: '', code_challenge_method: 'S256' },
    ]
    for (const weaker of downgrades) {
      const answer = answerOf(await submitLogin(world, { verifier, query: weaker }, northwind))
      expect(answer.get('error')).toBe('invalid_request')
      expect(answer.get('code')).toBeNull()
    }
  })

  test('a code is refused without the right verifier [TOKEN-15]', async () => {
    const made = attempt(target.acct)
    const code = await obtainCode(world, made, northwind)
    const { redirectUri: redirect_uri } = target.acct
    const wrong = createHash('sha256').update('a guess').digest('base64url')
    for (const code_verifier of [wrong, made.query['code_challenge'] ?? '', 'x']) {
      expect((await exchange(world, target.acct, made, code, { code_verifier })).status).toBe(400)
    }
    const without = await token(world, target.acct, { grant_type: 'authorization_code', code, redirect_uri })
    expect([without.status, without.body['error_key']]).toEqual([400, 'oauth.invalid_grant'])
    expect((await exchange(world, target.acct, made, code)).status).toBe(200)
  })

  test('a data client may omit it; a challenge that was stripped from the request fails at the exchange [TOKEN-15]', async () => {
    const { verifier, query } = attempt(target.svc)
    const { code_challenge: _stripped, code_challenge_method: _too, ...bare } = query
    const made = { verifier, query: bare }
    const stripped = await obtainCode(world, made, northwind)
    expect(await statusAndBody(exchange(world, target.svc, made, stripped))).toEqual(INVALID_GRANT)
    const code = await obtainCode(world, made, northwind)
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT }
    expect((await token(world, target.svc, form)).status).toBe(200)
  })
})

describe('the authorize request', () => {
  test('with an invalid client or redirect URI does not redirect', async () => {
    const { query } = attempt(target.svc)
    const { redirect_uri: _none, ...withoutAddress } = query
    const bad: Record<string, string>[] = [
      { ...query, client_id: 'svc_000000000000000000000000' },
      { ...query, client_id: 'garbage' },
      withoutAddress,
      ...[
        `${REDIRECT}/`,
        `${REDIRECT}?next=https://evil.example`,
        `${REDIRECT}#`,
        'https://client.example.evil.example/callback',
        'https://client.example@evil.example/callback',
        'https://evil.example/callback',
        'javascript:alert(1)',
        '//evil.example',
        '',
      ].map((redirect_uri) => ({ ...query, redirect_uri })),
    ]
    for (const wrong of bad) {
      for (const send of [
        askPage,
        (members: Record<string, string>) => submitLogin(world, { verifier: '', query: members }, northwind),
      ]) {
        const answer = await send(wrong)
        expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
        expect(await answer.text()).not.toContain('evil.example')
      }
      const json = await get(`${target.front}/oauth2/authorize?${new URLSearchParams(wrong).toString()}`, {
        accept: 'application/json',
      })
      expect([json.status, json.body['error_key']]).toEqual([400, 'oauth.invalid_request'])
    }
  })

  test('the answer has the issuer and the state of the request', async () => {
    for (const state of ['plain', 'a b&c=d#e%20', 'ünï‹›', 'x'.repeat(512)]) {
      const answer = answerOf(await submitLogin(world, attempt(target.svc, { state }), northwind))
      expect([answer.get('state'), answer.get('iss')]).toEqual([state, target.front])
    }
    const tooLong = await submitLogin(world, attempt(target.svc, { state: 'x'.repeat(513) }), northwind)
    expect(tooLong.status).toBe(400)
  })

  test('a code with the verifier of another request is refused', async () => {
    const [one, other] = [attempt(target.svc), attempt(target.svc)]
    const code = await obtainCode(world, one, northwind)
    expect(await statusAndBody(exchange(world, target.svc, other, code))).toEqual(INVALID_GRANT)
  })

  test('an error is redirected to the client with state and issuer', async () => {
    for (const [more, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ mode: 'everything' }, 'invalid_request'],
      [{ mode: 'one_time' }, 'unauthorized_client'],
    ] as const) {
      const made = attempt(target.svc, more)
      const answer = await askPage({ ...made.query })
      expect(answer.status).toBe(302)
      const members = answerOf(answer)
      expect([members.get('error'), members.get('state'), members.get('iss')]).toEqual([
        error,
        made.query['state'],
        target.front,
      ])
      expect(members.get('error_description')).not.toBeNull()
    }
  })
})

function askPage(query: Record<string, string>): Promise<Response> {
  const url = `${target.front}/oauth2/authorize?${new URLSearchParams(query).toString()}`
  return fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
}
