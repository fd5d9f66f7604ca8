import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { openWorld } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'

const LIMIT_MS = 3_000
const world = await openWorld({ settings: { WEBHOOK_CAUSES: 'standard_ports', WEBHOOK_TOTAL_MS: String(LIMIT_MS) } })
const service = await world.service()
const silent = await listen(() => {})
const garbled = await listen((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
const closed = await listen(() => {})
await closed.close()

afterAll(() => Promise.all([silent.close(), garbled.close()]))

test('a closed, a silent and a garbled port look alike, in a test and in the log of deliveries', async () => {
  const hooks = await Promise.all(
    [closed, silent, garbled].map(({ port }) => service.webhook({ url: `http://127.0.0.1:${port}/hook` })),
  )
  const startedMs = performance.now()
  const tests = await Promise.all(
    hooks.map(async (hook) => ({ ...(await hook.post('test')), tookMs: performance.now() - startedMs })),
  )
  for (const { body, tookMs } of tests) {
    expect(body).toEqual({ http_status: null, error_class: 'no_answer', duration_ms: LIMIT_MS })
    expect(tookMs).toBeGreaterThanOrEqual(LIMIT_MS - 100)
  }
  await service.append()
  for (const hook of hooks) {
    await hook.becomes('bad')
    const attempt = { http_status: null, error_class: 'no_answer', duration_ms: LIMIT_MS }
    expect(await hook.deliveries()).toMatchObject([attempt, attempt])
    expect(await hook.health()).toMatchObject({ last_error: expect.stringContaining('sent no HTTP answer') })
  }
})

test('an HTTP answer is shown at any port', async () => {
  const hook = await service.webhook()
  hook.receiver.behave(() => 418)
  expect(await hook.post('test')).toMatchObject({ body: { http_status: 418, error_class: 'status' } })
})

test('the platform itself is no target', async () => {
  for (const { url } of [world.eu, world.us, world.frontDoor]) {
    const hook = await service.webhook({ url: `${url}/api/health` })
    expect(await hook.post('test')).toMatchObject({ body: { http_status: null, error_class: 'refused' } })
  }
})

async function listen(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    answer(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return { port: address.port, close }
}
