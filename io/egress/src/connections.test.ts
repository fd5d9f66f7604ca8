import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { socketDialer } from './dialer.ts'
import { getRequest, openTestEgress, startHttp, type TestServer } from './test-server.ts'

async function serveHello(): Promise<TestServer> {
  const server = await startHttp((_request, response) => void response.end('hello'))
  onTestFinished(() => server.close())
  return server
}

/** Answers the first request of every connection and closes it at the second: an expired keep-alive. */
async function serveOncePerConnection(seen: string[]): Promise<TestServer> {
  const answered = new WeakSet<Socket>()
  const server = await startHttp((request, response) => {
    seen.push(request.method ?? '')
    if (answered.has(request.socket)) return void request.socket.destroy()
    answered.add(request.socket)
    response.end('hello')
  })
  onTestFinished(() => server.close())
  return server
}

test('an answer that breaks off on a kept connection is not asked for again', async () => {
  const answered = new WeakSet<Socket>()
  let asked = 0
  const server = await startHttp((request, response) => {
    asked += 1
    if (!answered.has(request.socket)) return void response.end('hello', () => answered.add(request.socket))
    response.writeHead(200, { 'content-length': 5 }).write('he', () => request.socket.destroy())
  })
  onTestFinished(() => server.close())
  const egress = openTestEgress()
  const request = getRequest(server.url, { method: 'POST', body: '{}', isRepeatable: true })
  expect(await egress.send(request)).toMatchObject({ ok: true })
  expect(await egress.send(request)).toMatchObject({ ok: false, refusal: { kind: 'protocol' } })
  expect(asked).toBe(2)
})

test('requests one after another share a connection', async () => {
  const server = await serveHello()
  const egress = openTestEgress()
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  for (let call = 0; call < 30; call += 1) expect(await egress.send(getRequest(server.url))).toMatchObject({ ok: true })
  expect(server.sockets).toHaveLength(1)
  expect(warnings).toEqual([])
})

test('concurrent requests have one connection each, of which only a few are kept', async () => {
  const server = await serveHello()
  const egress = openTestEgress({ idle: { perOrigin: 3 } })
  await Promise.all(Array.from({ length: 20 }, () => egress.send(getRequest(server.url))))
  expect(server.sockets).toHaveLength(20)
  await expect.poll(() => server.openSockets()).toBe(3)
})

test('the kept connections of all targets together are bounded too', async () => {
  const servers = await Promise.all(Array.from({ length: 5 }, serveHello))
  const egress = openTestEgress({ idle: { total: 2 } })
  for (const server of servers) await egress.send(getRequest(server.url))
  const openSockets = (): number[] => servers.map((server) => server.openSockets())
  await expect.poll(() => openSockets()).toEqual([0, 0, 0, 1, 1])
})

test('an idle connection ends by itself', async () => {
  const server = await serveHello()
  const egress = openTestEgress({ idle: { keepMs: 50 } })
  await egress.send(getRequest(server.url))
  await expect.poll(() => server.openSockets()).toBe(0)
})

test('closing ends idle connections', async () => {
  const server = await serveHello()
  const egress = openTestEgress()
  await egress.send(getRequest(server.url))
  egress.close()
  await expect.poll(() => server.openSockets()).toBe(0)
})

test('a kept connection is not used when the name has moved to another address', async () => {
  const server = await serveHello()
  const answers = [['127.0.0.1'], ['127.0.0.1'], ['127.0.0.9']]
  const dialled: string[] = []
  const real = socketDialer()
  const egress = openTestEgress({
    resolver: { resolve: async () => answers.shift() ?? [] },
    dialer: {
      dial(target, signal) {
        dialled.push(target.address)
        return real.dial(target, signal)
      },
    },
  })
  const url = `http://moving.example:${server.port}/`
  for (let call = 0; call < 3; call += 1) await egress.send(getRequest(url))
  expect(dialled).toEqual(['127.0.0.1', '127.0.0.9'])
})

test('a kept connection that was closed is replaced once when the request may be repeated', async () => {
  for (const request of [{}, { method: 'POST', isRepeatable: true }] as const) {
    const seen: string[] = []
    const server = await serveOncePerConnection(seen)
    const egress = openTestEgress()
    await egress.send(getRequest(server.url))
    expect(await egress.send(getRequest(server.url, request))).toMatchObject({ ok: true, value: { status: 200 } })
    expect(seen).toHaveLength(3)
  }
})

test('a request that may not be repeated fails instead of arriving twice', async () => {
  const seen: string[] = []
  const server = await serveOncePerConnection(seen)
  const egress = openTestEgress()
  await egress.send(getRequest(server.url))
  expect(await egress.send(getRequest(server.url, { method: 'POST' }))).toMatchObject({ refusal: { kind: 'protocol' } })
  expect(seen).toEqual(['GET', 'POST'])
})

test('a target that closes the connection at a first request is not asked again', async () => {
  let requests = 0
  const server = await startHttp((request) => {
    requests += 1
    request.socket.destroy()
  })
  onTestFinished(() => server.close())
  expect(await openTestEgress().send(getRequest(server.url))).toMatchObject({ refusal: { kind: 'protocol' } })
  expect(requests).toBe(1)
})

test('when one allowed address refuses the connection, the next one is tried', async () => {
  const server = await serveHello()
  const egress = openTestEgress({ resolver: { resolve: async () => ['::1', '127.0.0.9', '127.0.0.1'] } })
  expect(await egress.send(getRequest(`http://several.example:${server.port}/`))).toMatchObject({ ok: true })
})
