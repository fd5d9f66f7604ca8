import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { CLOCK, SECRET, signDelivery } from '../../test/signed-delivery.ts'
import { expressHandler, fastifyPlugin, nodeHandler } from './adapters.ts'
import type { ReceiverOptions } from './receiver-options.ts'
import { openReceiver } from './receiver.ts'

const EVENT = { id: 'body-1', event: 'connection_deleted', share_code: 'MARA01', at: '2026-05-01T09:30:00.000+00:00' }
const TOO_LARGE = [413, 'the body is larger than 2000 bytes']
const LIMIT = 2000
const CHUNK = new Uint8Array(1000)

const open = (options: Partial<ReceiverOptions> = {}) =>
  openReceiver({ secrets: [SECRET], clock: CLOCK, handle: () => {}, onError: () => {}, ...options })

/** An endless body, and how much of it was read. */
function endless(): { readonly stream: ReadableStream<Uint8Array>; readonly state: { pulls: number; isCut: boolean } } {
  const state = { pulls: 0, isCut: false }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      state.pulls += 1
      controller.enqueue(CHUNK)
    },
    cancel() {
      state.isCut = true
    },
  })
  return { stream, state }
}

async function fetchWith(body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const receiver = await open({ maxBodyBytes: LIMIT })
  const init = { method: 'POST', headers, body, duplex: 'half' } as const
  const answer = await receiver.fetch(new Request('http://hooks.test/', init))
  return [answer.status, await answer.text()]
}

test('fetch: an endless body is refused as soon as it is too large, and cut off', async () => {
  const { stream, state } = endless()
  expect(await fetchWith(stream, {})).toEqual(TOO_LARGE)
  expect(state).toMatchObject({ isCut: true })
  expect(state.pulls).toBeLessThan(6)
})

test('fetch: an announced length above the limit is refused; a smaller one is not trusted', async () => {
  const announced = endless()
  expect(await fetchWith(announced.stream, { 'content-length': '2001' })).toEqual(TOO_LARGE)
  expect(announced.state.pulls).toBeLessThan(2)
  for (const lie of ['10', '-1', 'many', '1e1']) {
    expect(await fetchWith(endless().stream, { 'content-length': lie })).toEqual(TOO_LARGE)
  }
})

test('fetch: a body of exactly the limit is accepted; the default limit is 16 MiB', async () => {
  const { headers, body } = await signDelivery(EVENT)
  const init = { method: 'POST', headers, body }
  const exact = await open({ maxBodyBytes: body.length })
  expect((await exact.fetch(new Request('http://hooks.test/', init))).status).toBe(200)
  const tight = await open({ maxBodyBytes: body.length - 1 })
  expect((await tight.fetch(new Request('http://hooks.test/', init))).status).toBe(413)

  const usual = await open()
  const large = async (bytes: number) => {
    const request = new Request('http://hooks.test/', { method: 'POST', body: new Uint8Array(bytes) })
    return (await usual.fetch(request)).status
  }
  expect([await large(16 * 2 ** 20), await large(16 * 2 ** 20 + 1)]).toEqual([401, 413])
})

test('fetch: a sender that disconnects within its body gets an answer, and nothing is thrown', async () => {
  const gone = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error('the line is cut')) })
  expect(await fetchWith(gone, {})).toEqual([400, 'the body is incomplete'])
})

test('fetch: a request without a body is refused', async () => {
  const receiver = await open()
  expect((await receiver.fetch(new Request('http://hooks.test/', { method: 'POST' }))).status).toBe(401)
  expect((await receiver.fetch(new Request('http://hooks.test/'))).status).toBe(405)
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '9' as unknown as number])(
  'a limit of %s is refused by openReceiver and the adapters',
  async (maxBodyBytes) => {
    await expect(open({ maxBodyBytes })).rejects.toThrow('maxBodyBytes must be a whole number')
    const receiver = await open()
    expect(() => nodeHandler(receiver, { maxBodyBytes })).toThrow('maxBodyBytes must be a whole number')
    expect(() => expressHandler(receiver, { maxBodyBytes })).toThrow('maxBodyBytes must be a whole number')
    expect(() => fastifyPlugin(receiver, { path: '/', maxBodyBytes })).toThrow('maxBodyBytes must be a whole number')
  },
)

interface Running extends AsyncDisposable {
  readonly port: number
}

/** With the limit of the receiver, and with their own. */
const servers: readonly [string, () => Promise<Running>][] = [
  ['node:http', async () => serve(nodeHandler(await open({ maxBodyBytes: LIMIT })))],
  ['node:http with its own limit', async () => serve(nodeHandler(await open(), { maxBodyBytes: LIMIT }))],
  ['Express', async () => serve(express().post('/', expressHandler(await open({ maxBodyBytes: LIMIT }))))],
  [
    'Fastify',
    async () => {
      const app = fastify()
      await app.register(fastifyPlugin(await open({ maxBodyBytes: LIMIT }), { path: '/' }))
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      return { port: Number(new URL(url).port), [Symbol.asyncDispose]: () => app.close() }
    },
  ],
]

async function serve(listener: (request: never, response: never) => unknown): Promise<Running> {
  const server = createServer((request, response) => void listener(request as never, response as never))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

/** The answer on a connection that the sender never closes. */
function speak(port: number, head: string, more: (write: (bytes: string) => boolean) => void) {
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST / HTTP/1.1\r\nhost: hooks.test\r\ncontent-type: application/json\r\n${head}\r\n\r\n`)
  more((bytes) => socket.write(bytes))
  return socket
}

test.each(servers)('%s: an endless body gets its answer, and then the connection is closed', async (_, mount) => {
  await using server = await mount()
  const socket = speak(server.port, 'transfer-encoding: chunked', () => {})
  const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`
  const pour = (): void => {
    while (socket.writable && socket.write(chunk));
  }
  socket.on('drain', pour).on('error', () => {})
  pour()
  const answered = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
  expect(answered).toMatch(/^HTTP\/1.1 413 /)
  await new Promise((resolve) => socket.once('close', resolve))
})

test.each(servers)('%s: an announced length above the limit is refused before the body arrives', async (_, mount) => {
  await using server = await mount()
  const socket = speak(server.port, 'content-length: 900000000\r\nconnection: close', () => {})
  expect(await text(socket)).toMatch(/^HTTP\/1.1 413 /)
})

test.each(servers.slice(0, 3))('%s: the answer has the reason', async (_, mount) => {
  await using server = await mount()
  const init = { method: 'POST', body: new Uint8Array(LIMIT + 1) }
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, init)
  expect([answer.status, await answer.text()]).toEqual(TOO_LARGE)
})
