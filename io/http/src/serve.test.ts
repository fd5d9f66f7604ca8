import { refuse } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import { errorKeyOf, postJson } from './testing/requests.ts'
import { openTestServer, OTHERS_THING, THING } from './testing/server.ts'

const api = await openTestServer()

describe('a good request', () => {
  test('gets the body that its schema declares and nothing else', async () => {
    const response = await api.send(`/api/things/${THING}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ id: THING, name: 'thing', count: 1, note: null, values: { 'a:b': '<&>' } })
  })

  test('gets rate limits, version and a request id, and must not be cached', async () => {
    const { headers } = await api.send(`/api/things/${THING}`)
    expect(headers.get('ratelimit-policy')).toBe('"data";q=600;w=60')
    expect(headers.get('ratelimit')).toBe('"data";r=599;t=31')
    expect(headers.get('x-platform-api-version')).toBe('1')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('vary')).toBe('Accept, Origin')
  })

  test('passes the gates in the order of the wire, then ownership, then the handler', async () => {
    await api.send(`/api/things/${THING}`, { ...postJson({ name: 'x' }), method: 'PUT' })
    expect(api.asked).toEqual([
      'platform',
      'authenticate',
      'home',
      'access',
      'limits',
      'writes',
      'level',
      'locate',
      'handle',
    ])
  })

  test('keeps the headers of its handler, answers 204 without a body, and bytes unchanged', async () => {
    const changed = await api.send(`/api/things/${THING}`, { ...postJson({ name: 'x' }), method: 'PUT' })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"1"'])
    const gone = await api.send(`/api/things/${THING}`, { method: 'DELETE' })
    expect([gone.status, await gone.text()]).toEqual([204, ''])
    const file = await api.send('/api/files/a%2Fb')
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['application/octet-stream', 'a/b'])
  })

  test('may be HEAD where GET only reads', async () => {
    const response = await api.send(`/api/things/${THING}`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(10)
  })

  test('may come without a body where that is allowed', async () => {
    expect((await api.send(`/api/things/${THING}/cancel`, { method: 'POST' })).status).toBe(200)
  })

  test('accepts forms at OAuth routes', async () => {
    const body = new URLSearchParams({ client_id: 'c', state: 'a b&c' })
    const response = await api.send('/oauth2/result', { method: 'POST', body })
    expect(await response.json()).toEqual({ code: 'a b&c' })
  })
})

describe('the order of refusals', () => {
  test.each([
    ['platform', () => refuse('platform.out_of_order'), 503],
    ['authenticate', () => refuse('auth.token_invalid'), 401],
    ['home', () => refuse('region.rebase_required', { api_url: 'https://us.example' }), 421],
    ['access', () => refuse('auth.client_endpoint_forbidden', {}), 403],
    ['limits', () => refuse('rate.limited', undefined, { retryAfterSeconds: 7 }), 429],
    ['writes', () => refuse('db.writes_paused'), 503],
    ['level', () => refuse('account.level_required', { required_level: 'basic' }), 403],
  ] as const)('a refusal by %s comes before all later checks, whatever the body is', async (gate, refusal, status) => {
    api.refusals.set(gate, refusal)
    const response = await api.send(`/api/things/${OTHERS_THING}`, {
      method: 'PUT',
      headers: { 'content-type': 'nonsense/;;' },
      body: '{broken',
    })
    expect(response.status).toBe(status)
    expect(await errorKeyOf(response)).toBe(refusal().key)
    expect(api.asked.at(-1)).toBe(gate)
  })

  test('an unknown id is 404 even when the body is broken too', async () => {
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{broken' }
    const unknown = await api.send(`/api/things/${OTHERS_THING}`, init)
    expect([unknown.status, await errorKeyOf(unknown)]).toEqual([404, 'services.not_found'])
    const own = await api.send(`/api/things/${THING}`, init)
    expect([own.status, await errorKeyOf(own)]).toEqual([400, 'request.invalid'])
  })
})
