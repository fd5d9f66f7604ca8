import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { installSlowGuard } from '@sealpost/kernel'
import { afterEach, expect, test, vi } from 'vitest'
import type { Egress } from './egress.ts'
import { getRequest, openTestEgress, startHttp, startServer, type TestServer } from './test-server.ts'

const started: TestServer[] = []
const egress: Egress = openTestEgress()

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()))
})

async function http(handler: Parameters<typeof startHttp>[0]): Promise<TestServer> {
  const server = await startHttp(handler)
  started.push(server)
  return server
}

async function tcp(answer: string): Promise<TestServer> {
  const server = await startServer(createServer((socket) => void socket.once('data', () => socket.end(answer))))
  started.push(server)
  return server
}

function isClosedBySender(server: TestServer): Promise<void> {
  return expect.poll(() => server.openSockets()).toBe(0)
}

test('an answer arrives with status, headers, bytes and timings in order', async () => {
  const server = await http((request, response) => {
    request.pipe(response.writeHead(201, { 'x-seen': request.headers['x-sent'], 'x-two': ['a', 'b'] }))
  })
  const headers = { 'x-sent': 'yes' }
  const result = await egress.send(getRequest(server.url, { method: 'POST', headers, body: 'grüße' }))
  if (!result.ok) throw new Error(result.refusal.kind)
  const { status, headers: answered, body, timings } = result.value
  expect(status).toBe(201)
  expect(answered).toMatchObject({ 'x-seen': 'yes', 'x-two': 'a, b' })
  expect(Buffer.from(body).toString()).toBe('grüße')
  const inOrder = [timings.resolvedMs, timings.connectedMs, timings.answeredMs, timings.totalMs]
  expect(inOrder.toSorted((one, other) => one - other)).toEqual(inOrder)
})

test('an answer announced as too large is not read, and its status is reported', async () => {
  const server = await http((_request, response) => void response.writeHead(500, { 'content-length': 2_000 }).end())
  const result = await egress.send(getRequest(server.url, { maxResponseBytes: 1_000 }))
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'too_large', limitBytes: 1_000, status: 500 } })
  await isClosedBySender(server)
})

test('an answer without a length is cut off at the limit', async () => {
  const server = await http((_request, response) => {
    response.on('drain', () => response.write(Buffer.alloc(16_384)))
    response.write(Buffer.alloc(1_048_576))
  })
  const result = await egress.send(getRequest(server.url, { maxResponseBytes: 100_000 }))
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'too_large', status: 200 } })
  await isClosedBySender(server)
})

test('an answer of exactly the limit is complete', async () => {
  const server = await http((_request, response) => void response.end(Buffer.alloc(1_000)))
  const result = await egress.send(getRequest(server.url, { maxResponseBytes: 1_000 }))
  expect(result).toMatchObject({ ok: true, value: { status: 200 } })
})

test('a compressed answer is passed on unchanged, so it cannot grow in memory', async () => {
  const packed = gzipSync(Buffer.alloc(1_000_000))
  const server = await http((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
  })
  const result = await egress.send(getRequest(server.url, { maxResponseBytes: 5_000 }))
  expect(result).toMatchObject({ ok: true, value: { body: packed } })
})

test('a target that never answers times out, and its connection is closed', async () => {
  const server = await http(() => {})
  const result = await egress.send(getRequest(server.url, { totalTimeoutMs: 100 }))
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'timeout', stage: 'wait' } })
  await isClosedBySender(server)
})

test('a slow body does not extend the total time', async () => {
  const server = await http((_request, response) => {
    const drip = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(drip))
  })
  const result = await egress.send(getRequest(server.url, { totalTimeoutMs: 200 }))
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'timeout', stage: 'read' } })
  await isClosedBySender(server)
})

test('slow headers do not extend it either', async () => {
  const server = await startServer(
    createServer((socket) => {
      const drip = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(drip))
      socket.write('HTTP/1.1 200 OK\r\nx-long: ')
    }),
  )
  started.push(server)
  const result = await egress.send(getRequest(server.url, { totalTimeoutMs: 200 }))
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'timeout', stage: 'wait' } })
  await isClosedBySender(server)
})

test('redirects share one total time', async () => {
  const server = await http((_request, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 20)
  })
  const result = await egress.send(getRequest(server.url, { totalTimeoutMs: 200, redirects: 100 }))
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'timeout' } })
})

test('a silent name server or host costs the connect time, not the total', async () => {
  const never = new Promise<never>(() => {})
  const limits = { connectTimeoutMs: 50, totalTimeoutMs: 60_000 }
  const unresolved = openTestEgress({ resolver: { resolve: () => never } })
  const undialled = openTestEgress({ dialer: { dial: () => never } })
  expect(await unresolved.send(getRequest('http://slow.example/', limits))).toMatchObject({
    refusal: { kind: 'timeout', stage: 'resolve' },
  })
  expect(await undialled.send(getRequest('http://slow.example/', limits))).toMatchObject({
    refusal: { kind: 'timeout', stage: 'connect' },
  })
})

test('the sender can cancel at any time', async () => {
  const server = await http(() => {})
  const giveUp = new AbortController()
  const sending = egress.send(getRequest(server.url, { signal: giveUp.signal }))
  await expect.poll(() => server.openSockets()).toBe(1)
  giveUp.abort()
  expect(await sending).toMatchObject({ ok: false, refusal: { kind: 'aborted' } })
  await isClosedBySender(server)
  expect(await egress.send(getRequest(server.url, { signal: giveUp.signal }))).toMatchObject({
    refusal: { kind: 'aborted' },
  })
})

test('a closed port, an unknown name and a broken answer are told apart', async () => {
  const closed = await http(() => {})
  await closed.close()
  expect(await egress.send(getRequest(closed.url))).toMatchObject({
    refusal: { kind: 'connect', code: 'ECONNREFUSED' },
  })
  const noName = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  const lost = openTestEgress({ resolver: { resolve: () => Promise.reject(noName) } })
  expect(await lost.send(getRequest('http://lost.example/'))).toMatchObject({
    refusal: { kind: 'dns', code: 'ENOTFOUND' },
  })
  for (const answer of ['', 'SSH-2.0-OpenSSH\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort', 'HTTP/1.1 2']) {
    const server = await tcp(answer)
    expect(await egress.send(getRequest(server.url))).toMatchObject({ ok: false, refusal: { kind: 'protocol' } })
  }
})

test('endless headers end as a broken answer', async () => {
  const server = await tcp(`HTTP/1.1 200 OK\r\n${`x-filler: ${'y'.repeat(100)}\r\n`.repeat(1_000)}\r\n`)
  expect(await egress.send(getRequest(server.url))).toMatchObject({ ok: false, refusal: { kind: 'protocol' } })
})

test.each([
  ['Host', 'elsewhere.example'],
  ['Content-Length', '0'],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'upgrade'],
  ['Proxy-Authorization', 'Basic eA=='],
  ['x-split', 'a\r\nHost: b'],
  ['bad name', 'a'],
])('header %s is refused before a connection is made', async (name, value) => {
  const server = await http((_request, response) => void response.end())
  const result = await egress.send(getRequest(server.url, { headers: { [name]: value } }))
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'refused', reason: 'request_malformed' } })
  expect(server.sockets).toHaveLength(0)
})

test('a proxy in the environment is not used', async () => {
  const proxy = await http((_request, response) => void response.end('proxied'))
  const server = await http((_request, response) => void response.end('direct'))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) vi.stubEnv(name, proxy.url)
  const result = await openTestEgress().send(getRequest(server.url))
  vi.unstubAllEnvs()
  expect(result.ok && Buffer.from(result.value.body).toString()).toBe('direct')
  expect(proxy.sockets).toHaveLength(0)
})

test('inside a transaction no connection is made', async () => {
  const server = await http((_request, response) => void response.end())
  installSlowGuard((call) => {
    throw new Error(`${call} inside a transaction`)
  })
  const sending = egress.send(getRequest(server.url)).finally(() => installSlowGuard(null))
  await expect(sending).rejects.toThrow('HTTP request inside a transaction')
  expect(server.sockets).toHaveLength(0)
})

test('a thousand targets that do not answer delay no other request', async () => {
  const silent = await http(() => {})
  const quick = await http((_request, response) => void response.end('quick'))
  const giveUp = new AbortController()
  const stuck = Array.from({ length: 1_000 }, () =>
    egress.send(getRequest(silent.url, { signal: giveUp.signal, totalTimeoutMs: 60_000 })),
  )
  await expect.poll(() => silent.openSockets()).toBe(1_000)
  const answers = await Promise.all(Array.from({ length: 100 }, () => egress.send(getRequest(quick.url))))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(100)
  expect(silent.openSockets()).toBe(1_000)
  giveUp.abort()
  expect((await Promise.all(stuck)).filter(({ ok }) => ok)).toHaveLength(0)
})
