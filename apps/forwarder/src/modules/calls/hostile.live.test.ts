import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import {
  type Handle,
  makeKeys,
  manifestOf,
  PLUGIN_HOST,
  sealTo,
  sendJson,
  startHonestPlugin,
  startPluginServer,
} from '../../testing/plugin-server.ts'
import { type Answer, ask, openSite, post, routeTo } from '../../testing/site.ts'

/** A plugin server that does everything but answer well. */
const MEGABYTE = 1024 * 1024
const site = await openSite()
const { keys, honest, server } = await startHonestPlugin()
const forwarder = await site.start({ plugin: server, settings: { PLUGIN_TIMEOUT_MS: '1000' } })

const notResponding = { status: 502, body: { error_key: 'plugin.not_responding' } }

async function call(to = forwarder, baseUrl = server.url): Promise<Answer> {
  const plugin = site.plugin({ baseUrl, publicKey: keys.publicKey })
  const pass = await site.pass({ plugins: [plugin] })
  const { request } = await ask(keys.publicKey)
  return post(to, '/call', { pass, plugin_id: plugin, request })
}

async function refresh(to = forwarder, baseUrl = server.url): Promise<unknown> {
  const plugin = site.plugin({ baseUrl })
  const pass = await site.pass({ kind: 'registry', plugins: [plugin] })
  const answer = await post(to, '/registry', { pass, plugin_id: plugin })
  expect(answer.status).toBe(200)
  return site.region.plugins.get(plugin)?.refreshes[0]
}

/** Writes until the reader hangs up. */
const endless: Handle = async (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, 'a')
  while (!response.destroyed)
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')])
}

const large =
  (bytes: number): Handle =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(bytes, 'a'))
  }

/** One byte at a time, forever: each arrives in time. */
const dripping: Handle = (_request, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('a'), 50)
  response.once('close', () => clearInterval(timer))
}

const silent: Handle = () => {}

/** Parsed it would take some hundred times as long as its size suggests. */
const nested: Handle = (_request, response) => void response.end(`{"reply":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)

const redirecting: Handle = (_request, response) => {
  response.writeHead(307, { location: 'https://127.0.0.1/elsewhere' }).end()
}

test.each<[string, Handle]>([
  ['a huge body', large(50 * MEGABYTE)],
  ['a body without end', endless],
  ['one byte at a time', dripping],
  ['nothing', silent],
  ['a redirect', redirecting],
  ['text', (_request, response) => void response.end('certainly')],
  ['a reply that is not sealed', (_request, response) => sendJson(response, { reply: 'Plan A' })],
  ['a list', (_request, response) => sendJson(response, ['reply'])],
  ['an error', (_request, response) => sendJson(response, { reply: 'x' }, 500)],
  ['an unknown conflict', (_request, response) => sendJson(response, { error: 'busy' }, 409)],
  ['bytes that are not UTF-8', (_request, response) => void response.end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ['20,000 nested lists', nested],
  ['a broken connection', (_request, response) => void response.destroy()],
])('a plugin that answers %s does not respond [FWD-14]', async (_what, handle) => {
  server.handle = handle
  expect(await call()).toMatchObject(notResponding)
})

test('a reply of more than 64 KiB is not carried [FWD-14]', async () => {
  const { publicKey } = await makeKeys()
  const long = await sealTo(publicKey, 'x'.repeat(64 * 1024))
  server.handle = (_request, response) => sendJson(response, { reply: long })
  expect(await call()).toMatchObject(notResponding)
})

test('a redirect is not followed', async () => {
  const paths: unknown[] = []
  server.handle = (request, response, body) => {
    paths.push(request.url)
    return redirecting(request, response, body)
  }
  await call()
  expect(paths).toEqual(['/call'])
})

test('a reply for another key, or one that was sent before, reaches the caller and does not open there', async () => {
  const plugin = site.plugin({ baseUrl: server.url, publicKey: keys.publicKey })
  const pass = await site.pass({ plugins: [plugin] })
  const first = await ask(keys.publicKey)
  const replies: string[] = []
  const send = async (request: string) => {
    const answer = await post(forwarder, '/call', { pass, plugin_id: plugin, request })
    expect(answer.status).toBe(200)
    return answer.body['reply']
  }
  replies.push(String(await send(first.request)))
  server.handle = (_request, response) => sendJson(response, { reply: replies[0] })
  const second = await ask(keys.publicKey)
  expect(await second.open(await send(second.request))).toBeNull()
  const { publicKey } = await makeKeys()
  const foreign = await sealTo(publicKey, '{}')
  server.handle = (_request, response) => sendJson(response, { reply: foreign })
  const third = await ask(keys.publicKey)
  expect(await third.open(await send(third.request))).toBeNull()
})

test.each<[string, Handle, string]>([
  ['10 MB', large(10 * MEGABYTE), 'too_large'],
  ['without end', endless, 'too_large'],
  ['that never comes', silent, 'timeout'],
  ['that drips', dripping, 'timeout'],
  ['elsewhere', redirecting, 'redirect'],
  ['with an error', (_request, response) => sendJson(response, {}, 500), 'status'],
  ['that is text', (_request, response) => void response.end('hello'), 'malformed'],
  ['without a name', (_request, response) => sendJson(response, { ...manifestOf(keys), name: '' }), 'malformed'],
  [
    'with a key that is none',
    (_request, response) => sendJson(response, manifestOf({ publicKey: 'AAAA' })),
    'key_invalid',
  ],
])('a manifest %s is not stored; the region learns why', async (_what, handle, error) => {
  server.handle = handle
  expect(await refresh()).toEqual({ ok: false, error })
})

test('a manifest with 51 field types is not stored', async () => {
  const [type] = manifestOf(keys)['field_types'] as Record<string, unknown>[]
  const types = Array.from({ length: 51 }, (_, index) => ({ ...type, key: `type_${index}` }))
  server.handle = (_request, response) => sendJson(response, { ...manifestOf(keys), field_types: types })
  expect(await refresh()).toEqual({ ok: false, error: 'malformed' })
  server.handle = (_request, response) => sendJson(response, { ...manifestOf(keys), field_types: types.slice(1) })
  expect(await refresh()).toMatchObject({ ok: true })
})

test('a plugin that says key_unknown and then has no manifest does not respond, and keeps its description', async () => {
  const plugin = site.plugin({ baseUrl: server.url, publicKey: keys.publicKey })
  const pass = await site.pass({ plugins: [plugin] })
  const { request } = await ask(keys.publicKey)
  server.handle = (incoming, response, body) =>
    incoming.url === '/call' ? sendJson(response, { error: 'key_unknown' }, 409) : silent(incoming, response, body)
  expect(await post(forwarder, '/call', { pass, plugin_id: plugin, request })).toMatchObject(notResponding)
  const stored = site.region.plugins.get(plugin)
  expect(stored).toMatchObject({ publicKey: keys.publicKey, refreshes: [{ ok: false, error: 'timeout' }] })
})

test('a certificate of an unknown authority is not accepted', async () => {
  const other = await startPluginServer(honest)
  onTestFinished(() => other.close())
  const before = other.load.total
  expect(await call(forwarder, other.url)).toMatchObject(notResponding)
  expect(other.load.total).toBe(before)
})

/** An ordinary address; the dialer leads it to the server of the test. */
const PUBLIC_ADDRESS = '93.184.216.34'

/** As in production: only public addresses, whose connections end at the server of the test. */
async function startStrict(answers: () => readonly string[]) {
  const dialled: string[] = []
  const { dialer } = routeTo(server)
  if (dialer === undefined) throw new Error('no dialer')
  const forwarding = await site.start({
    settings: { ALLOW_PRIVATE_TARGETS: '0' },
    route: {
      resolver: { resolve: () => Promise.resolve(answers()) },
      dialer: {
        dial(target, signal) {
          dialled.push(`${target.address}:${target.port}`)
          return dialer.dial({ ...target, address: '127.0.0.1', port: server.port }, signal)
        },
      },
    },
  })
  return { forwarding, dialled }
}

test('a name that changes to a private address between two calls is not called again', async () => {
  const answers = [[PUBLIC_ADDRESS], ['127.0.0.1'], [PUBLIC_ADDRESS, '127.0.0.1']]
  const { forwarding, dialled } = await startStrict(() => answers.shift() ?? [])
  const url = `https://${PLUGIN_HOST}`
  const before = server.load.total
  expect((await call(forwarding, url)).status).toBe(200)
  expect(await call(forwarding, url)).toMatchObject(notResponding)
  expect(await call(forwarding, url)).toMatchObject(notResponding)
  expect(dialled).toEqual([`${PUBLIC_ADDRESS}:443`])
  expect(server.load.total).toBe(before + 1)
})

test('without the setting for development only public hosts are called, with TLS and at port 443', async () => {
  const { forwarding, dialled } = await startStrict(() => [PUBLIC_ADDRESS])
  const hosts = ['127.0.0.1', '10.0.0.1', '[::1]', 'localhost', '169.254.169.254', 'eu.example', `${PLUGIN_HOST}:8443`]
  for (const url of [...hosts.map((host) => `https://${host}`), `http://${PLUGIN_HOST}`, `http://${PLUGIN_HOST}:443`]) {
    expect([url, await refresh(forwarding, url)]).toEqual([url, { ok: false, error: 'address_refused' }])
    expect(await call(forwarding, url)).toMatchObject(notResponding)
  }
  expect(dialled).toEqual([])
  expect(await refresh(forwarding, `https://${PLUGIN_HOST}`)).toMatchObject({ ok: true })
})
