import { get } from 'node:http'
import { openGates } from '@sealpost/testkit/open-gates'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnswerExtras, answer } from './answer.ts'
import { bindRoute } from './bind-route.ts'
import type { HttpServer } from './http-server.ts'
import { openServer } from './server.ts'
import { readOpen } from './testing/operations.ts'
import { startTestServer } from './testing/server.ts'

/** A server without the strict contract, whose one route returns the answer of the test. */
let server: HttpServer
let url: string
let respond: () => unknown

beforeAll(async () => {
  const api = await startTestServer()
  await api.close()
  server = openServer({ ...api.server.options, strictContract: false })
  bindRoute(server, openGates, { operation: readOpen, handle: async () => (await respond()) as { status: string } })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close(1000))

describe('an answer that cannot be sent is a 500 in the house shape', () => {
  test.each([
    ['a body without a required member', () => ({})],
    ['no body at all', () => undefined],
    ['a header that HTTP cannot carry', () => answer({ status: 'ok' }, { headers: { etag: 'a\nb' } })],
  ])('%s', async (_title, make) => {
    respond = make
    const response = await fetch(`${url}/api/open`)
    expect([response.status, await response.json()]).toMatchObject([500, { error_key: 'platform.internal_error' }])
    expect(response.headers.get('etag')).toBeNull()
  })
})

describe('an exact answer', () => {
  const items = Array.from({ length: 100 }, (_, number) => ({ number, text: 'ü"', none: undefined, empty: null }))

  test.each([
    ['a short one', { status: 'ok', more: 1 }],
    ['a long text', { status: 'ü'.repeat(20_000) }],
    ['a long list', { changes: items, has_more: true, left_out: undefined }],
    ['long lists inside', { inner: { '"': items.map(() => items.slice(0, 40)) }, date: new Date(0).toISOString() }],
    ['empty ones', { none: [], nothing: {}, empty: '' }],
  ])('is written unchanged: %s', async (_title, body) => {
    respond = () => answer(body, { isExact: true })
    const response = await fetch(`${url}/api/open`)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.text()).toBe(JSON.stringify(body))
  })
})

describe('the callback of an answer', () => {
  const watched = (extras: (onClosed: NonNullable<AnswerExtras['onClosed']>) => unknown) => {
    const closed: boolean[] = []
    respond = () => extras((delivered) => void closed.push(delivered))
    return closed
  }

  test('is called once with true when the answer was delivered', async () => {
    const closed = watched((onClosed) => answer({ status: 'ok' }, { onClosed }))
    expect((await fetch(`${url}/api/open`)).status).toBe(200)
    await expect.poll(() => closed).toEqual([true])
  })

  test('is called once with false when another answer was sent instead', async () => {
    const closed = watched((onClosed) => answer({}, { onClosed }))
    expect((await fetch(`${url}/api/open`)).status).toBe(500)
    expect(closed).toEqual([false])
  })

  test('is called with false when the caller left while the handler worked', async () => {
    const entered = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const closed = watched(async (onClosed) => {
      entered.resolve()
      await gate.promise
      return answer({ status: 'ok' }, { onClosed })
    })
    const call = get(`${url}/api/open`).on('error', () => {})
    await entered.promise
    const others = (await connectionsOf(server)) - 1
    call.destroy()
    await expect.poll(() => connectionsOf(server)).toBe(others)
    gate.resolve()
    await expect.poll(() => closed).toEqual([false])
  })
})

function connectionsOf({ fastify }: HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    fastify.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
