import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { errorKeyOf, postJson } from './testing/requests.ts'
import { startTestServer, THING, type TestServer } from './testing/server.ts'

const KIB = 1024
let api: TestServer
let open: Socket[] = []

afterEach(async () => {
  for (const socket of open) socket.destroy()
  open = []
  await api.close()
})

test('a caller with too many calls in flight gets 429, and another caller is served', async () => {
  const gate = await holdCalls({ callerCalls: 2 })
  const held = [api.send('/api/tagged'), api.send('/api/tagged')]
  await expect.poll(() => inflight('calls')).toBe(2)
  const third = await api.send('/api/tagged')
  expect([third.status, third.headers.get('retry-after'), await errorKeyOf(third)]).toEqual([429, '1', 'rate.limited'])
  // A refusal takes nothing from the rate.
  expect(api.asked.filter((name) => name === 'limits')).toHaveLength(2)
  const other = resultOf()
  await expect.poll(() => api.asked.filter((name) => name === 'handle')).toHaveLength(3)
  gate.resolve()
  expect((await other).status).toBe(200)
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200])
  await expect.poll(() => inflight('calls')).toBe(0)
  expect((await api.send('/api/tagged')).status).toBe(200)
})

test('a caller who asks again as soon as it is refused waits for its refusals', async () => {
  const gate = await holdCalls({ callerCalls: 1 })
  const first = api.send('/api/tagged')
  await expect.poll(() => inflight('calls')).toBe(1)
  const startedMs = performance.now()
  const others = await Promise.all(Array.from({ length: 200 }, () => api.send('/api/tagged')))
  expect(performance.now() - startedMs).toBeGreaterThan(900)
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([429]))
  gate.resolve()
  expect((await first).status).toBe(200)
})

test('a call without a login counts for its address', async () => {
  const gate = await holdCalls({ callerCalls: 1 })
  const first = resultOf()
  await expect.poll(() => inflight('calls')).toBe(1)
  const second = await resultOf()
  expect([second.status, await errorKeyOf(second)]).toEqual([429, 'rate.limited'])
  gate.resolve()
  expect((await first).status).toBe(200)
})

test('a caller who leaves is counted until the work for the call has ended', async () => {
  const gate = await holdCalls({ callerCalls: 1 })
  const leaving = new AbortController()
  const left = api.send('/api/tagged', { signal: leaving.signal }).catch(() => 'left')
  await expect.poll(() => api.asked).toContain('handle')
  leaving.abort()
  expect(await left).toBe('left')
  await expect.poll(() => api.telemetry.lines().some((line) => line['status'] === 499)).toBe(true)
  expect((await api.send('/api/tagged')).status).toBe(429)
  gate.resolve()
  await expect.poll(() => inflight('calls')).toBe(0)
})

test('an error of the handler ends the call', async () => {
  await holdCalls({ callerCalls: 1 })
  api.before = () => {
    throw new Error('broken')
  }
  expect((await api.send('/api/tagged')).status).toBe(500)
  await expect.poll(() => inflight('calls')).toBe(0)
})

test('bodies of one caller have a budget: the declared size counts before a byte of it has arrived', async () => {
  api = await startTestServer({ inflight: { callerBytes: 100 * KIB } })
  const held = await sendPart(`Content-Length: ${80 * KIB}`, '{')
  await expect.poll(() => inflight('body_bytes')).toBe(80 * KIB)
  const refused = await put('x'.repeat(30 * KIB))
  expect([refused.status, refused.headers.get('retry-after'), await errorKeyOf(refused)]).toEqual([
    429,
    '1',
    'rate.limited',
  ])
  expect((await put('x')).status).toBe(200)
  held.destroy()
  await expect.poll(() => inflight('body_bytes')).toBe(0)
  expect((await put('x'.repeat(30 * KIB))).status).toBe(200)
})

test('bodies of all callers have a budget: 503, and nothing was written', async () => {
  api = await startTestServer({ inflight: { processBytes: 100 * KIB } })
  const held = await sendPart(`Content-Length: ${100 * KIB}`, '{')
  await expect.poll(() => inflight('body_bytes')).toBe(100 * KIB)
  const refused = await api.send('/api/things', postJson({ name: 'thing' }))
  expect([refused.status, refused.headers.get('retry-after'), await errorKeyOf(refused)]).toEqual([
    503,
    '1',
    'platform.busy',
  ])
  expect(api.created).toEqual([])
  expect(await api.telemetry.prometheus()).toMatch(/http_inflight_refusals_total\{.*bytes of the process.*\} 1\n/)
  held.end()
  await expect.poll(() => inflight('body_bytes')).toBe(0)
  expect((await api.send('/api/things', postJson({ name: 'thing' }))).status).toBe(201)
})

test('a body of unknown length counts as it arrives', async () => {
  api = await startTestServer({ inflight: { callerBytes: 100 * KIB } })
  const chunk = `${(10 * KIB).toString(16)}\r\n${' '.repeat(10 * KIB)}\r\n`
  const held = await sendPart('Transfer-Encoding: chunked', chunk.repeat(4))
  await expect.poll(() => inflight('body_bytes')).toBe(40 * KIB)
  let answer = ''
  held.on('data', (data) => (answer += String(data)))
  held.write(chunk.repeat(8))
  await expect.poll(() => answer).toContain('HTTP/1.1 429 ')
  await expect.poll(() => inflight('body_bytes')).toBe(0)
})

async function holdCalls(limits: { readonly callerCalls: number }): Promise<PromiseWithResolvers<void>> {
  api = await startTestServer({ inflight: limits })
  const gate = Promise.withResolvers<void>()
  api.before = () => gate.promise
  return gate
}

function resultOf(): Promise<Response> {
  const body = new URLSearchParams({ client_id: 'c', state: 's' })
  return api.send('/oauth2/result', { method: 'POST', body })
}

function put(name: string): Promise<Response> {
  return api.send(`/api/things/${THING}`, { ...postJson({ name }), method: 'PUT' })
}

async function sendPart(header: string, body: string): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  open.push(socket.on('error', () => {}))
  await once(socket, 'connect')
  const head = ['Host: x', 'Authorization: Bearer good', 'Content-Type: application/json', header]
  socket.write(`PUT /api/things/${THING} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

async function inflight(what: 'calls' | 'body_bytes'): Promise<number> {
  const found = new RegExp(`^http_inflight_${what}\\S* (\\d+)$`, 'm').exec(await api.telemetry.prometheus())
  return Number(found?.[1])
}
