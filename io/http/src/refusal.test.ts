import { EngineError } from '@sealpost/kernel'
import {
  CommitOutcomeUnknownError,
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseUnavailableError,
  PoolExhaustedError,
} from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import { errorKeyOf, postJson } from './testing/requests.ts'
import { ERRORS_URL, openTestServer, OTHERS_THING, THING } from './testing/server.ts'
import { readXml } from './xml.ts'

const api = await openTestServer()

describe('a refusal', () => {
  test('is {error, error_key} and the members of its key, nothing more [ERR-01]', async () => {
    api.refusals.set('home', () => refuse('region.rebase_required', { api_url: 'https://us.example' }))
    const moved = await api.send(`/api/things/${THING}`)
    expect(await moved.json()).toEqual({
      error: 'This request belongs to another base address',
      error_key: 'region.rebase_required',
      api_url: 'https://us.example',
    })
    api.refusals.clear()
    const invalid = await api.send('/api/things', postJson({ count: -1 }))
    expect(await invalid.json()).toEqual({
      error: 'The request does not have the expected shape',
      error_key: 'request.invalid',
      details: [
        { path: '/body/name', message: 'is required' },
        { path: '/body/count', message: 'must be >= 0' },
      ],
    })
    const missing = await api.send('/nowhere')
    expect(await missing.json()).toEqual({
      error: 'There is no resource at this address',
      error_key: 'request.not_found',
    })
  })

  test.each([['application/json'], ['application/xml']])('as %s links to the page about its key', async (accept) => {
    const response = await api.send('/api/things', { headers: { accept, authorization: 'Bearer old' } })
    expect(response.headers.get('link')).toBe(`<${ERRORS_URL}#auth.expired>; rel="help"`)
    expect(await response.text()).not.toContain(ERRORS_URL)
  })

  test.each([
    [{ authorization: '' }, 'auth.token_missing', 'Bearer'],
    [{ authorization: 'Basic eDp5' }, 'auth.token_missing', 'Bearer'],
    [{ authorization: 'bearer bad' }, 'auth.token_invalid', 'Bearer error="invalid_token"'],
    [{ authorization: 'Bearer old' }, 'auth.expired', 'Bearer error="invalid_token"'],
  ])('with %j challenges as RFC 6750 requires', async (headers, key, challenge) => {
    const response = await api.send(`/api/things/${THING}`, { headers })
    expect([response.status, await errorKeyOf(response)]).toEqual([401, key])
    expect(response.headers.get('www-authenticate')).toBe(challenge)
  })

  test.each([
    ['platform', 'platform.out_of_order'],
    ['writes', 'db.writes_paused'],
  ] as const)('by a switch of the operator (%s) is no error in the log, and is counted', async (gate, key) => {
    api.refusals.set(gate, () => refuse(key))
    const send = () => api.send('/api/things', postJson({ name: 'a' }))
    expect((await send()).status).toBe(503)
    await expect
      .poll(() => api.telemetry.lines().filter((line) => line['error_key'] === key))
      .toMatchObject([{ level: 'info', status: 503 }])
    expect(await api.telemetry.prometheus()).toMatch(new RegExp(`http_planned_refusals[^ ]*reason="${key}"[^ ]* 1`))
    api.refusals.set(gate, () => refuse('platform.busy'))
    expect((await send()).status).toBe(503)
    await expect.poll(() => api.telemetry.lines().at(-1)).toMatchObject({ error_key: 'platform.busy', level: 'error' })
  })

  test('carries Retry-After', async () => {
    api.limits = [
      { ...(api.limits[0] ?? expect.fail()), allowed: false, remaining: 0, resetSeconds: 12.2, retryAfterSeconds: 7 },
    ]
    const limited = await api.send(`/api/things/${THING}`)
    api.limits = [{ ...(api.limits[0] ?? expect.fail()), allowed: true }]
    expect([limited.status, limited.headers.get('retry-after'), limited.headers.get('ratelimit')]).toEqual([
      429,
      '7',
      '"data";r=0;t=13',
    ])
    api.refusals.set('writes', () => refuse('db.writes_paused'))
    const paused = await api.send('/api/things', postJson({ name: 'x' }))
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '30'])
  })

  test('for an unexpected error reveals nothing, and the log has it', async () => {
    api.before = () => {
      throw new Error('planted: connect ECONNREFUSED 10.0.0.7')
    }
    const response = await api.send(`/api/things/${THING}`)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      error: 'An internal error occurred',
      error_key: 'platform.internal_error',
    })
    expect(api.telemetry.text()).toContain('planted: connect ECONNREFUSED')
  })

  test.each([
    [new DatabaseUnavailableError('planted: no server at 10.0.0.7'), '5', 'The database cannot be reached right now'],
    [new PoolExhaustedError('planted: 10 connections in use'), '1', 'The database is too busy right now'],
    [new DatabaseBusyError('planted: lock timeout'), '1', 'The database is too busy right now'],
    [new DatabaseFullError('planted: no space left on device'), '30', 'The database is full right now'],
    [
      new EngineError('planted: S3', { engine: 'file store', state: 'away' }),
      '5',
      'The file store cannot be reached right now',
    ],
  ])('for an engine that failed carries Retry-After and reveals nothing (%s)', async (error, wait, sentence) => {
    api.before = () => {
      throw error
    }
    const response = await api.send('/api/open')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, wait])
    expect(await response.json()).toEqual({ error: `${sentence}; nothing was written`, error_key: 'platform.busy' })
    expect(api.telemetry.text()).toContain(error.message)
  })

  test('for a COMMIT without an answer does not promise that nothing was written', async () => {
    api.before = () => {
      throw new CommitOutcomeUnknownError('planted: connection broke during COMMIT')
    }
    const response = await api.send('/api/open')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toEqual({
      error: 'The database did not confirm in time whether this call was stored',
      error_key: 'region.unreachable',
    })
  })

  test('at an OAuth route has the codes of RFC 6749', async () => {
    const response = await api.send('/oauth2/result', { method: 'POST', body: new URLSearchParams({ state: 'x' }) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_key: 'oauth.invalid_request',
      error_description: expect.stringContaining('client_id is required'),
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

const xml = { accept: 'application/xml' }

describe('formats', () => {
  test('authenticated routes answer JSON or XML by Accept, refusals too; the others always JSON [ERR-05]', async () => {
    const good = await api.send(`/api/things/${THING}`, { headers: xml })
    expect(good.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(readXml(await good.text())).toEqual({
      id: THING,
      name: 'thing',
      count: '1',
      note: '',
      values: { 'a:b': '<&>' },
    })
    const refused = await api.send(`/api/things/${OTHERS_THING}`, { headers: xml })
    expect([refused.status, readXml(await refused.text())]).toEqual([
      404,
      { error: expect.any(String), error_key: 'services.not_found' },
    ])
    const missing = await api.send(`/api/things/${THING}`, { headers: { ...xml, authorization: '' } })
    expect([missing.status, readXml(await missing.text())]).toMatchObject([401, { error_key: 'auth.token_missing' }])
    for (const path of ['/api/open', '/nowhere', '/oauth2/result']) {
      const plain = await api.send(path, { headers: xml })
      expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  test('files and their refusals are never XML', async () => {
    api.refusals.set('access', () => refuse('auth.client_endpoint_forbidden', {}))
    const response = await api.send('/api/files/x', { headers: xml })
    expect([response.status, await errorKeyOf(response)]).toEqual([403, 'auth.client_endpoint_forbidden'])
  })
})
