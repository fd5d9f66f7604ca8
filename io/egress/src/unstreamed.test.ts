import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { EgressRequest } from './request.ts'
import { getRequest, openTestEgress, startHttp, startServer, type TestServer } from './test-server.ts'

function postRequest(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  return getRequest(url, { method: 'POST', body: '{}', maxResponseBytes: 1_000, ...more })
}

async function serve(handler: Parameters<typeof startHttp>[0]): Promise<TestServer> {
  const server = await startHttp(handler)
  onTestFinished(() => server.close())
  return server
}

test('the status is returned and the connection used again', async () => {
  const server = await serve((request, response) => void request.pipe(response.writeHead(202)))
  const egress = openTestEgress()
  for (let call = 0; call < 5; call += 1) {
    expect(await egress.sendForStatus(postRequest(server.url))).toMatchObject({ ok: true, value: { status: 202 } })
  }
  expect(server.sockets).toHaveLength(1)
})

test('a redirect is the answer and is not followed', async () => {
  let asked = 0
  const server = await serve((_request, response) => {
    asked += 1
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const result = await openTestEgress().sendForStatus(postRequest(server.url, { redirects: 5 }))
  expect(result).toMatchObject({ ok: true, value: { status: 302 } })
  expect(asked).toBe(1)
})

test('an endless answer is cut off at the limit; its status counts', async () => {
  const server = await serve((_request, response) => {
    response.on('drain', () => response.write(Buffer.alloc(16_384)))
    response.write(Buffer.alloc(1_048_576))
  })
  expect(await openTestEgress().sendForStatus(postRequest(server.url))).toMatchObject({ value: { status: 200 } })
  await expect.poll(() => server.openSockets()).toBe(0)
})

test('an early hint is not the answer', async () => {
  const server = await serve((_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeHead(204).end()
  })
  expect(await openTestEgress().sendForStatus(postRequest(server.url))).toMatchObject({ value: { status: 204 } })
})

test.each([
  ['never answers', 'wait', () => {}],
  [
    'sends its headers slowly',
    'wait',
    (write: (text: string) => void) => {
      write('HTTP/1.1 200 OK\r\nx-long: ')
      return setInterval(() => write('x'), 10)
    },
  ],
  [
    'sends its body slowly',
    'read',
    (write: (text: string) => void) => {
      write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      return setInterval(() => write('x'), 10)
    },
  ],
])('a target that %s fails when the time is up, and its connection ends', async (_how, stage, behave) => {
  const server = await startServer(
    createServer((socket) => {
      const drip = behave((text) => void socket.write(text))
      socket.on('close', () => clearInterval(drip ?? undefined))
      socket.resume()
    }),
  )
  onTestFinished(() => server.close())
  const result = await openTestEgress().sendForStatus(postRequest(server.url, { totalTimeoutMs: 200 }))
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'timeout', stage } })
  await expect.poll(() => server.openSockets()).toBe(0)
})

test('the sender can cancel before and during sending', async () => {
  const server = await serve(() => {})
  const egress = openTestEgress()
  const giveUp = new AbortController()
  const sending = egress.sendForStatus(postRequest(server.url, { signal: giveUp.signal }))
  await expect.poll(() => server.openSockets()).toBe(1)
  giveUp.abort()
  expect(await sending).toMatchObject({ ok: false, refusal: { kind: 'aborted' } })
  await expect.poll(() => server.openSockets()).toBe(0)
  expect(await egress.sendForStatus(postRequest(server.url, { signal: giveUp.signal }))).toMatchObject({
    refusal: { kind: 'aborted' },
  })
})

test('a broken answer and a forbidden header or target are refused as everywhere', async () => {
  const server = await startServer(createServer((socket) => void socket.once('data', () => socket.end('SSH-2.0\r\n'))))
  onTestFinished(() => server.close())
  const egress = openTestEgress()
  expect(await egress.sendForStatus(postRequest(server.url))).toMatchObject({ refusal: { kind: 'protocol' } })
  expect(await egress.sendForStatus(postRequest(server.url, { headers: { Host: 'x' } }))).toMatchObject({
    refusal: { kind: 'refused', reason: 'request_malformed' },
  })
  const strict = openTestEgress({ policy: {} })
  for (const url of [server.url, server.url]) {
    expect(await strict.sendForStatus(postRequest(url))).toMatchObject({ refusal: { reason: 'loopback' } })
  }
})

test('a kept connection that was closed fails the request instead of sending it twice', async () => {
  let asked = 0
  const server = await serve((request, response) => {
    asked += 1
    if (asked === 1) response.end()
    else request.socket.destroy()
  })
  const egress = openTestEgress()
  await egress.sendForStatus(postRequest(server.url))
  expect(await egress.sendForStatus(postRequest(server.url))).toMatchObject({ refusal: { kind: 'protocol' } })
  expect(asked).toBe(2)
})

test('a request whose deadline to start has passed is cancelled before its first byte', async () => {
  let asked = 0
  const server = await serve((_request, response) => {
    asked += 1
    response.end()
  })
  const egress = openTestEgress()
  expect(await egress.sendForStatus(postRequest(server.url, { mayLeave: () => false }))).toMatchObject({
    refusal: { kind: 'aborted' },
  })
  expect(await egress.sendForStatus(postRequest(server.url, { mayLeave: () => true }))).toMatchObject({ ok: true })
  expect(asked).toBe(1)
})
