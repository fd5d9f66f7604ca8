import { randomBytes } from 'node:crypto'
import { createIds, instant } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { memoryIdempotency } from '../testing/memory-store.ts'
import { postJson } from '../testing/requests.ts'
import { ERRORS_URL, openTestServer, startTestServer } from '../testing/server.ts'
import { readXml } from '../xml.ts'
import type { IdempotencyStore } from './port.ts'

const api = await openTestServer()
let key: string
let made = 0

beforeEach(() => {
  api.created.length = 0
  key = `key-${(made += 1)}`
})

const create = (name: string, headers: Record<string, string> = {}): Promise<Response> =>
  api.send('/api/things', postJson({ name }, { 'idempotency-key': key, ...headers }))

describe('a POST with an Idempotency-Key', () => {
  test('runs once; the repeat gets the same answer with its secrets hidden', async () => {
    const first = await create('x')
    expect([first.status, await first.json()]).toEqual([201, { id: '1', client_secret: 'planted-secret' }])
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const again = await create('x')
    expect([again.status, await again.json()]).toEqual([201, { id: '1', client_secret: null }])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(api.created).toEqual(['x'])
  })

  test('is replayed in the format of the repeat', async () => {
    await create('x')
    const again = await create('x', { accept: 'application/xml' })
    expect(readXml(await again.text())).toEqual({ id: '1', client_secret: '' })
  })

  test('with another body is a conflict', async () => {
    await create('x')
    const other = await create('y')
    expect([other.status, await other.json()]).toMatchObject([422, { error_key: 'idempotency.conflict' }])
    expect(api.created).toEqual(['x'])
  })

  test('is refused while the first is running', async () => {
    const gate = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    api.before = () => {
      entered.resolve()
      return gate.promise
    }
    const first = create('x')
    await entered.promise
    const second = await create('x')
    expect([second.status, await second.json()]).toMatchObject([409, { error_key: 'idempotency.in_progress' }])
    gate.resolve()
    expect((await first).status).toBe(201)
    expect(api.created).toEqual(['x'])
  })

  test('repeats a decision, and tries again after a failure', async () => {
    api.before = () => {
      throw refuse('region.unreachable')
    }
    expect((await create('x')).status).toBe(503)
    api.before = () => {
      throw refuse('services.client_exists')
    }
    expect((await create('x')).status).toBe(409)
    api.before = () => {}
    const again = await create('x')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([409, 'true'])
    expect(again.headers.get('link')).toBe(`<${ERRORS_URL}#services.client_exists>; rel="help"`)
    expect(api.created).toEqual([])
  })

  test('is free again soon after a failure during which it could not be released', async () => {
    const clock = { now: () => instant(0) }
    const store = memoryIdempotency(clock, createIds(clock, { bytes: (length) => randomBytes(length) }))
    let isAway = true
    const release: IdempotencyStore['release'] = (lease) =>
      isAway ? Promise.reject(new Error('planted: no database')) : store.release(lease)
    const failing = await startTestServer({ idempotency: { ...store, release } })
    onTestFinished(() => failing.close())
    failing.before = () => {
      throw refuse('platform.busy')
    }
    const send = () => failing.send('/api/things', postJson({ name: 'x' }, { 'idempotency-key': 'away' }))
    expect([(await send()).status, (await send()).status]).toEqual([503, 409])
    failing.before = () => {}
    isAway = false
    await expect.poll(() => send().then(({ status }) => status)).toBe(201)
  })

  test('does not use up its key on a body that is refused', async () => {
    expect((await create('')).status).toBe(400)
    expect((await create('x')).status).toBe(201)
  })

  test.each(['', 'a b', 'é', 'x'.repeat(256)])('is refused when the key is %j', async (bad) => {
    const response = await create('x', { 'idempotency-key': bad })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error_key: 'request.invalid', details: [{ path: '/headers/Idempotency-Key' }] },
    ])
  })

  test('without a key runs every time', async () => {
    await api.send('/api/things', postJson({ name: 'x' }))
    await api.send('/api/things', postJson({ name: 'x' }))
    expect(api.created).toEqual(['x', 'x'])
  })
})
