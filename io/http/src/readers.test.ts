import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { scaled } from '@sealpost/testkit'
import { openGates } from '@sealpost/testkit/open-gates'
import { afterAll, expect, test } from 'vitest'
import { answer } from './answer.ts'
import { bindRoute } from './bind-route.ts'
import { openServer } from './server.ts'
import { readFile } from './testing/operations.ts'
import { startTestServer } from './testing/server.ts'

const WINDOW_MS = 3000
/** Limits requests only. */
const REQUEST_MS = 300
const SIZE = 12_000_000
/** Of the slow reader. */
const BYTES_PER_MS = 1500
const CHUNK = Buffer.alloc(50_000)

const api = await startTestServer()
await api.close()
/** Of the last file that was asked for. */
let isClosed = false
const url = await serveFiles(WINDOW_MS)

async function serveFiles(windowMs: number): Promise<URL> {
  const server = openServer({
    ...api.server.options,
    readers: { windowMs, minBytes: 10_000 },
    sockets: { requestTimeoutMs: REQUEST_MS },
  })
  bindRoute(server, openGates, {
    operation: readFile,
    handle() {
      isClosed = false
      const chunks = Array.from({ length: SIZE / CHUNK.length }, () => CHUNK)
      return answer(Readable.from(chunks, { objectMode: false }), { onClosed: () => void (isClosed = true) })
    },
  })
  afterAll(() => server.close(1000))
  return new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
}

function request({ hostname, port } = url): Socket {
  const socket = connect({ host: hostname, port: Number(port) })
  socket.pause()
  socket.on('error', () => {})
  socket.write('GET /api/files/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return socket
}

test('a reader that takes nothing is ended, and its source with it', async () => {
  const socket = request()
  await expect.poll(() => isClosed, { timeout: scaled(15_000) }).toBe(true)
  expect(api.telemetry.lines()).toContainEqual(
    expect.objectContaining({ msg: 'an answer was ended: its reader took almost nothing' }),
  )
  socket.destroy()
})

test('a slow reader gets everything, however many windows it takes', { timeout: scaled(60_000) }, async () => {
  const began = performance.now()
  const socket = request()
  let taken = 0
  const timer = setInterval(() => {
    while (taken < (performance.now() - began) * BYTES_PER_MS) {
      const bytes: unknown = socket.read(16_384) ?? socket.read()
      if (!(bytes instanceof Buffer)) return
      taken += bytes.length
    }
  }, 10)
  await new Promise((resolve) => void socket.once('end', resolve))
  clearInterval(timer)
  expect(taken).toBeGreaterThan(SIZE)
  expect(performance.now() - began).toBeGreaterThan(WINDOW_MS)
})

test('a reader may pause within its window, for longer than a request may take', async () => {
  const socket = request(await serveFiles(20 * WINDOW_MS))
  const paused = performance.now()
  await expect.poll(() => performance.now() - paused, { timeout: scaled(5_000) }).toBeGreaterThan(5 * REQUEST_MS)
  let taken = 0
  socket.on('data', (bytes) => (taken += bytes.length)).resume()
  await new Promise((resolve) => void socket.once('close', resolve))
  expect(taken).toBeGreaterThan(SIZE)
})
