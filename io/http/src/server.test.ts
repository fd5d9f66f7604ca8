import { describe, expect, test } from 'vitest'
import { APP_ORIGIN, openTestServer, OTHERS_THING } from './testing/server.ts'

const api = await openTestServer()

describe('request ids', () => {
  test.each(['abc', 'A_b-9', 'x'.repeat(64)])("the caller's own %s is echoed", async (id) => {
    expect((await api.send('/api/open', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id)
  })

  test.each(['', 'x'.repeat(65), 'a b', 'a;b', 'é'])('%j is replaced by our own', async (id) => {
    const response = await api.send('/nowhere', { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('pages of the web apps', () => {
  test('may read answers, and the exposed headers are listed', async () => {
    const { headers } = await api.send('/api/open', { headers: { origin: APP_ORIGIN } })
    expect(headers.get('access-control-allow-origin')).toBe(APP_ORIGIN)
    expect(headers.get('access-control-expose-headers')).toBe(
      'X-Platform-Content-Sha256, X-Platform-Warning, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotent-Replayed, ETag, Link',
    )
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('may send preflights; only session routes allow cookies', async () => {
    const ask = (path: string, origin: string) =>
      api.send(path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
    const plain = await ask('/api/things', APP_ORIGIN)
    expect([plain.status, plain.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, POST, PUT, DELETE'])
    expect(plain.headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
    expect(plain.headers.get('access-control-allow-credentials')).toBeNull()
    const session = await ask('/api/session/refresh', APP_ORIGIN)
    expect(session.headers.get('access-control-allow-credentials')).toBe('true')
    for (const [path, origin] of [
      ['/api/things', 'https://evil.example'],
      ['/oauth2/revoke', APP_ORIGIN],
    ] as const) {
      const refused = await ask(path, origin)
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('the record of a request', () => {
  test('is one line and one span, without any text of the caller', async () => {
    await api.send(`/api/things/${OTHERS_THING}?q=planted-query`, {
      headers: { 'x-request-id': 'told', 'x-note': 'planted' },
    })
    const told = () => api.telemetry.lines().filter((line) => line['request_id'] === 'told')
    await expect.poll(told).toEqual([
      expect.objectContaining({
        method: 'GET',
        operation: 'test.read_thing',
        status: 404,
        duration_ms: expect.any(Number),
        caller: 'svc_test',
        error_key: 'services.not_found',
      }),
    ])
    expect(api.telemetry.text()).not.toMatch(/planted-query|"planted"/)
    const span = api.telemetry.spans().findLast(({ name }) => name === 'test.read_thing')
    expect(span?.attributes).toMatchObject({ 'http.route': '/api/things/{id}', 'http.response.status_code': 404 })
    const metrics = await api.telemetry.prometheus()
    expect(metrics).toMatch(
      /http_requests_total\{.*test\.read_thing.*404.*\} \d+|http_requests_total\{.*404.*test\.read_thing.*\} \d+/,
    )
  })
})
