import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { scaled } from '@sealpost/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './testing/server.ts'

const QUICK = { headersTimeoutMs: 200, requestTimeoutMs: 400 }
const PEERS = 20
let api: TestServer
let peers: Socket[] = []

afterEach(async () => {
  for (const peer of peers) peer.destroy()
  peers = []
  await api.close()
})

describe('the socket of a peer that never closes is destroyed', () => {
  test.each([
    ['silent', ''],
    ['with half a head', 'GET /api/open HTTP/1.1\r\nHost: x\r\nX-'],
    ['with half a body', 'POST /oauth2/result HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nstate='],
    ['that is not HTTP', 'what is this\r\n\r\n'],
    ['that asks for a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['after an answer that closes', 'GET /api/open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('%s', async (_name, text) => {
    api = await startTestServer({ sockets: QUICK })
    const answers = await Promise.all(Array.from({ length: PEERS }, () => dial(text)))
    await expect.poll(countConnections).toBe(0)
    const starts = () => answers.map((answer) => answer().slice(0, 9))
    await expect.poll(starts).toEqual(answers.map(() => 'HTTP/1.1 '))
  })

  test('that does not read its answers', { timeout: scaled(60_000) }, async () => {
    api = await startTestServer({ readers: { windowMs: 400, minBytes: 1 } })
    const peer = connect({ port: portOf(api), host: '127.0.0.1', allowHalfOpen: true })
    peers.push(peer.on('error', () => {}))
    await once(peer, 'connect')
    peer.pause()
    const request = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'
    peer.write(request.repeat(50_000))
    await expect.poll(countConnections, { timeout: scaled(50_000) }).toBe(0)
  })
})

test('connections over the limit are closed at once, and counted', async () => {
  api = await startTestServer({ sockets: { maxConnections: 2 } })
  await Promise.all([dial(''), dial('')])
  await expect.poll(countConnections).toBe(2)
  const third = connect({ port: portOf(api), host: '127.0.0.1' }).on('error', () => {})
  third.resume()
  await once(third, 'close')
  const metrics = await api.telemetry.prometheus()
  expect(metrics).toMatch(/http_connections_dropped_total\S* 1\n/)
  expect(metrics).toMatch(/http_connections 2\n/)
})

async function dial(text: string): Promise<() => string> {
  let answer = ''
  const peer = connect({ port: portOf(api), host: '127.0.0.1', allowHalfOpen: true })
  peers.push(peer)
  peer.on('error', () => {}).on('data', (chunk) => (answer += String(chunk)))
  await once(peer, 'connect')
  peer.write(text)
  return () => answer
}

function countConnections(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  api.server.fastify.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  return promise
}

function portOf({ url }: TestServer): number {
  return Number(new URL(url).port)
}
