import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { postForm, type WireAnswer } from '../wire.ts'
import { attempt, type Attempt, exchange, type OAuthClient } from './relying-party.ts'
import { CLAIMS, openSignInApps } from './signin-app.ts'

const world = await openWorld()
const apps = await openSignInApps(world)
const app = await apps.createApp({ claims: CLAIMS, detached: true })

describe('a detached request [TOKEN-20]', () => {
  test('is pending until the person has decided, then gives a code once', async () => {
    const made = detached(app)
    for (let poll = 0; poll < 2; poll += 1) {
      const waiting = await fetchResult(app, made)
      expect([waiting.status, waiting.body]).toEqual([202, { status: 'pending', interval: 2 }])
    }
    expect((await apps.decide(made, { decision: 'approve', values: { mail: await apps.sealed('x') } })).body).toEqual({
      done: true,
    })
    // The lifetime of the code starts when it is fetched, not at the decision.
    world.clock.advance(300_000)
    const done = await fetchResult(app, made)
    expect(done.body).toEqual({ code: expect.stringMatching(/^us\./), state: made.query['state'], iss: apps.front })
    const over = await fetchResult(app, made)
    expect([over.status, over.body['error_key']]).toEqual([410, 'oauth.result_expired'])
    expect((await exchange(world, app, made, String(done.body['code']))).status).toBe(200)
  })

  test('gives its result to one of ten concurrent polls', async () => {
    const made = detached(app)
    await apps.decide(made, { decision: 'approve', values: { mail: await apps.sealed('x') } })
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetchResult(app, made)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(9)
  })

  test('reports a denial once', async () => {
    const made = detached(app)
    expect((await apps.decide(made, { decision: 'deny' })).body).toEqual({ done: true })
    const refused = await fetchResult(app, made)
    expect([refused.status, refused.body['error'], refused.body['error_key']]).toEqual([
      403,
      'access_denied',
      'oauth.access_denied',
    ])
    expect((await fetchResult(app, made)).status).toBe(410)
  })

  test('expires ten minutes after the decision', async () => {
    const made = detached(app)
    await apps.decide(made, { decision: 'deny' })
    world.clock.advance(600_000)
    expect((await fetchResult(app, made)).status).toBe(410)
  })

  test('requires a state, which is valid once, and reveals nothing to another client or without the secret', async () => {
    const { query, verifier } = detached(app)
    const { state: _none, ...stateless } = query
    expect((await apps.decide({ query: stateless, verifier }, { decision: 'deny' })).body['error_key']).toBe(
      'oauth.invalid_request',
    )
    const made = detached(app)
    await apps.decide(made, { decision: 'deny' })
    expect((await apps.decide(made, { decision: 'deny' })).body['error_key']).toBe('oauth.invalid_request')
    expect((await fetchResult(apps.plainApp, made)).status).toBe(202)
    expect((await fetchResult({ ...app, clientSecret: 'wrong' }, made)).status).toBe(401)
    expect((await fetchResult({ ...app, clientSecret: null }, made)).status).toBe(401)
    expect((await fetchResult(app, made)).status).toBe(403)
  })

  test('is polled with the secret in the form or by HTTP Basic, never both', async () => {
    const { clientId: client_id, clientSecret } = app
    const { state = '' } = detached(app).query
    const poll = (form: Record<string, string>, credentials: string) =>
      postForm(`${apps.front}/oauth2/result`, { state, ...form }, { authorization: `Basic ${btoa(credentials)}` })
    const right = `${client_id}:${clientSecret ?? ''}`
    for (const form of [{}, { client_id }]) expect((await poll(form, right)).status).toBe(202)
    const wrong = await poll({}, `${client_id}:wrong`)
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic')])
    const muddled = [
      await poll({ client_id, client_secret: clientSecret ?? '' }, right),
      await poll({ client_id: apps.plainApp.clientId }, right),
      await poll({ client_id }, 'no colon'),
      await poll({ client_id }, '%:%'),
    ]
    for (const { status, body } of muddled) expect([status, body['error']]).toEqual([400, 'invalid_request'])
  })
})

function detached(client: OAuthClient): Attempt {
  return attempt(client, { response_mode: 'detached' })
}

function fetchResult({ clientId, clientSecret }: OAuthClient, { query }: Attempt): Promise<WireAnswer> {
  const secret = clientSecret === null ? {} : { client_secret: clientSecret }
  return postForm(`${apps.front}/oauth2/result`, { client_id: clientId, ...secret, state: query['state'] ?? '' })
}
