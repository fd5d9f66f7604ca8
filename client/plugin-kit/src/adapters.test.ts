import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { fastify } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { openReply, sealQuestion } from '../test/ask.ts'
import { openCars } from '../test/car-plugin.ts'
import { fastifyPlugin, fetchHandler, nodeHandler } from './index.ts'

const plugin = await openCars({ token: 'tok' })
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})

const QUESTION = { field_type: 'car', op: 'options', block: 'brand', query: 'vol', inputs: { budget: 1 } }

function headersOf({ headers }: RequestInit): Headers {
  const own = new Headers(headers)
  if (!own.has('authorization')) own.set('authorization', 'Bearer tok')
  return own
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

function sendTo(base: string): Send {
  return (path, init = {}) => fetch(`${base}${path}`, { ...init, headers: headersOf(init) })
}

async function listen(server: Server): Promise<Send> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => void server.close(resolve)))
  const { port } = server.address() as AddressInfo
  return sendTo(`http://127.0.0.1:${port}/cars`)
}

const expressApp = express()
expressApp.use('/cars', nodeHandler(plugin))
const parsingApp = express()
parsingApp.use(express.json())
parsingApp.use('/cars', nodeHandler(plugin))
parsingApp.use((_request, response) => void response.status(418).end())
const fastifyApp = fastify()
await fastifyApp.register(fastifyPlugin(plugin), { prefix: '/cars' })
ends.push(() => fastifyApp.close())
const fetchPlugin = fetchHandler(plugin, { path: '/cars' })

const servers: readonly (readonly [string, Send])[] = [
  ['node:http', await listen(createServer(nodeHandler(plugin, { path: '/cars' })))],
  ['Express', await listen(createServer(expressApp))],
  ['Express behind a body parser', await listen(createServer(parsingApp))],
  ['Fastify', sendTo(`${await fastifyApp.listen({ port: 0, host: '127.0.0.1' })}/cars`)],
  [
    'a fetch server',
    (path, init = {}) =>
      fetchPlugin(new Request(`https://cars.example/cars${path}`, { ...init, headers: headersOf(init) })),
  ],
]

describe.each(servers)('%s', (name, send) => {
  const post = (body: string) =>
    send('/call', { method: 'POST', body, headers: { 'content-type': 'application/json' } })

  test('serves the manifest and answers a sealed question', async () => {
    const manifest = await send('/manifest')
    expect(manifest.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await manifest.json()).toEqual(plugin.manifest())
    const request = await sealQuestion(plugin.manifest().public_key, QUESTION)
    const answer = await post(JSON.stringify({ request }))
    expect(answer.status).toBe(200)
    const { reply } = (await answer.json()) as { reply: string }
    expect(await openReply(reply)).toEqual({ options: [{ id: 'volvo', label: 'Volvo' }], more: false })
  })

  test('refuses a wrong token, a body that is no JSON and one that is too large', async () => {
    expect((await send('/manifest?x', { headers: { authorization: 'Bearer other' } })).status).toBe(401)
    expect((await post('{"request":')).status).toBe(400)
    const large = await post(JSON.stringify({ request: 'x'.repeat(70_000) }))
    expect(large.status).toBe(413)
    expect((await send('/other')).status).toBe(name === 'Express behind a body parser' ? 418 : 404)
  })
})
