import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { CLOCK, SECRET, signDelivery } from '../../test/signed-delivery.ts'
import { expressHandler, fastifyPlugin, nodeHandler } from './adapters.ts'
import type { WebhookEvent } from './receiver-options.ts'
import { openReceiver, type Receiver } from './receiver.ts'

const EVENT = { id: 'body-1', event: 'connection_deleted', share_code: 'MÆRA', at: '2026-05-01T09:30:00.000+00:00' }

interface Running extends AsyncDisposable {
  readonly url: string
}

async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

type Mount = (receiver: Receiver, options?: { readonly maxBodyBytes?: number }) => Promise<Running>

const servers: readonly [string, Mount][] = [
  [
    'node:http',
    (receiver, options) => listen((request, response) => void nodeHandler(receiver, options)(request, response)),
  ],
  [
    'Express',
    (receiver, options) => {
      const app = express()
      app.post('/hooks', expressHandler(receiver, options))
      app.use(express.json())
      return listen(app)
    },
  ],
  [
    'Express with express.raw',
    (receiver, options) => {
      const app = express()
      app.post('/hooks', express.raw({ type: '*/*', limit: options?.maxBodyBytes ?? '16mb' }), expressHandler(receiver))
      return listen(app)
    },
  ],
  [
    'Express with the bytes kept by express.json',
    (receiver, options) => {
      const app = express()
      const verify = (request: IncomingMessage & { rawBody?: Uint8Array }, _: unknown, bytes: Uint8Array): void => {
        request.rawBody = bytes
      }
      app.use(express.json({ verify, limit: options?.maxBodyBytes ?? '16mb' }))
      app.post('/hooks', expressHandler(receiver))
      return listen(app)
    },
  ],
  [
    'Fastify',
    async (receiver, options) => {
      const app = fastify()
      await app.register(fastifyPlugin(receiver, { path: '/hooks', ...options }))
      // Other routes of the application still get parsed JSON.
      app.post('/other', (request) => ({ got: request.body }))
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      const answer = await fetch(`${url}/other`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"a":1}',
      })
      expect(await answer.json()).toEqual({ got: { a: 1 } })
      return { url: `${url}/hooks`, [Symbol.asyncDispose]: () => app.close() }
    },
  ],
]

test.each(servers)('%s answers valid, invalid, repeated, failing and too large deliveries', async (_, mount) => {
  const events: WebhookEvent[] = []
  const receiver = await openReceiver({
    secrets: [SECRET],
    clock: CLOCK,
    onError: () => {},
    handle(event) {
      if (event.share_code === 'FAILS') throw new Error('no')
      events.push(event)
    },
  })
  await using server = await mount(receiver, { maxBodyBytes: 2000 })
  const send = async ({ headers, body }: Awaited<ReturnType<typeof signDelivery>>) => {
    const answer = await fetch(server.url, { method: 'POST', headers, body })
    return [answer.status, await answer.text()]
  }

  expect(await send(await signDelivery(EVENT))).toEqual([200, 'ok'])
  expect(await send(await signDelivery(EVENT))).toEqual([200, 'duplicate'])
  expect(events).toEqual([EVENT])
  const signed = await signDelivery(EVENT)
  const changed = new TextEncoder().encode(JSON.stringify({ ...EVENT, share_code: 'MALLOR' }))
  expect(await send({ ...signed, body: changed })).toEqual([401, 'signature_mismatch'])
  expect(await send(await signDelivery({ ...EVENT, share_code: 'FAILS' }, { eventId: 'e2' }))).toEqual([500, 'failed'])
  const large = await signDelivery({ ...EVENT, value: 'x'.repeat(3000) }, { eventId: 'e3' })
  expect((await send(large))[0]).toBe(413)
  expect(events).toHaveLength(1)
})

test.each<[string, (receiver: Receiver) => Promise<Running>]>([
  [
    'Express',
    (receiver) => {
      const app = express()
      app.use(express.json())
      app.post('/hooks', expressHandler(receiver))
      return listen(app)
    },
  ],
  [
    'Fastify',
    async (receiver) => {
      const app = fastify()
      app.post('/hooks', async (request, reply) => {
        const { status, text } = await receiver.receive(request)
        return reply.code(status).send(text)
      })
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      return { url: `${url}/hooks`, [Symbol.asyncDispose]: () => app.close() }
    },
  ],
  [
    'node:http',
    (receiver) =>
      listen((request, response) => {
        request.resume().on('end', () => void nodeHandler(receiver)(request, response))
      }),
  ],
])('%s: a body that was read before is an error that says what to change', async (_, mount) => {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const handle = (): void => expect.fail('the handler was called')
  await using server = await mount(await openReceiver({ secrets: [SECRET], clock: CLOCK, handle, onError }))
  const { headers, body } = await signDelivery(EVENT)

  const answer = await fetch(server.url, { method: 'POST', headers, body })

  expect(answer.status).toBe(500)
  const text = await answer.text()
  expect(text).toContain('before app.use(express.json())')
  expect(text).toContain('fastifyPlugin(receiver, { path })')
  expect(errors).toEqual([expect.objectContaining({ name: 'RawBodyError' })])
})

test('a sender that disconnects within its body does not stop the server', async () => {
  const handled: unknown[] = []
  const receiver = await openReceiver({
    secrets: [SECRET],
    clock: CLOCK,
    handle: (event) => void handled.push(event),
  })
  const ended = Promise.withResolvers<void>()
  await using server = await listen((request, response) => {
    void nodeHandler(receiver)(request, response).then(ended.resolve, ended.reject)
  })
  const gone = new AbortController()
  const { headers, body } = await signDelivery(EVENT)
  async function* slow() {
    yield body.slice(0, 10)
    gone.abort()
    yield await new Promise<Uint8Array>(() => {})
  }
  const cut = { method: 'POST', headers, body: slow(), duplex: 'half', signal: gone.signal } as unknown as RequestInit
  await expect(fetch(server.url, cut)).rejects.toThrow()
  await ended.promise
  expect((await fetch(server.url, { method: 'POST', headers, body })).status).toBe(200)
  expect(handled).toHaveLength(1)
})
