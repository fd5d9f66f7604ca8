import { type KeyPair, signKeyRollover } from '@sealpost/crypto'
import { waitUntil } from '@sealpost/testkit/engines'
import { generateKeyPair } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { cryptoPlatform } from '../../platform/crypto-platform.ts'
import { honestPlugin, makeKeys, manifestOf, sendJson, startPluginServer } from '../../testing/plugin-server.ts'
import { ask, openSite, post } from '../../testing/site.ts'

const WAIT_MS = 10_000
const site = await openSite()
let keys: KeyPair & { readonly rollovers?: readonly object[] } = await makeKeys()
const options = { options: [{ id: 'a', label: 'Plan A' }], more: false }
const honest = honestPlugin(
  () => keys,
  () => options,
)
const server = await startPluginServer(honest)
const forwarder = await site.start({ plugin: server })

beforeEach(() => {
  server.handle = honest
})

function described(members: object = {}): string {
  return site.plugin({ baseUrl: server.url, publicKey: keys.publicKey, ...members })
}

test('a sealed question is answered with the sealed reply of the plugin [FWD-01]', async () => {
  const plugin = described()
  const { request, open } = await ask(keys.publicKey)
  const answer = await post(forwarder, '/call', {
    pass: await site.pass({ plugins: [plugin] }),
    plugin_id: plugin,
    request,
  })
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toEqual(['reply'])
  expect(await open(answer.body['reply'])).toEqual(options)
})

test('the plugin gets the question and its own token, and nothing of the caller [FWD-02]', async () => {
  const plugin = described({ token: 'plugin-token' })
  const heads: Record<string, unknown>[] = []
  const bodies: string[] = []
  server.handle = (request, response, body) => {
    heads.push({ ...request.headers, path: request.url })
    bodies.push(body)
    return honest(request, response, body)
  }
  const { request } = await ask(keys.publicKey)
  const body = { pass: await site.pass({ plugins: [plugin] }), plugin_id: plugin, request }
  const sent = { authorization: 'Bearer of-the-platform', cookie: 'session=secret', 'x-forwarded-for': '203.0.113.9' }
  expect((await post(forwarder, '/call', body, sent)).status).toBe(200)
  expect(heads).toHaveLength(1)
  expect(heads[0]).toMatchObject({ path: '/call', authorization: 'Bearer plugin-token' })
  expect(JSON.stringify(heads)).not.toMatch(/of-the-platform|session=secret|203\.0\.113\.9/)
  expect(bodies).toEqual([JSON.stringify({ request })])
})

test('a pass in a header instead of the body opens nothing [FWD-02]', async () => {
  const plugin = described()
  const { request } = await ask(keys.publicKey)
  const authorization = `Bearer ${await site.pass({ plugins: [plugin] })}`
  const answer = await post(forwarder, '/call', { plugin_id: plugin, request }, { authorization })
  expect(answer).toMatchObject({ status: 401, body: { error_key: 'plugin.pass_invalid' } })
})

const otherKey = (await generateKeyPair('ES256')).privateKey

test.each<[string, object]>([
  ['signed with another key', { key: otherKey }],
  ['for another forwarder', { payload: { aud: 'https://other.example' } }],
  ['of another issuer', { payload: { iss: 'https://other.example' } }],
  ['of an unknown region', { payload: { rgn: 'mars' } }],
  ['that is an access token', { header: { typ: 'at+jwt' } }],
  ['without an id', { payload: { jti: undefined } }],
  ['of an unknown kind', { kind: 'admin' }],
  ['that lives an hour', { payload: { iat: 1_777_000_000, exp: 1_999_000_000 } }],
])('a pass %s is refused [FWD-07]', async (_what, members) => {
  const plugin = described()
  const { request } = await ask(keys.publicKey)
  const pass = await site.pass({ plugins: [plugin], ...members })
  const before = server.load.total
  const answer = await post(forwarder, '/call', { pass, plugin_id: plugin, request })
  expect(answer).toMatchObject({ status: 401, body: { error_key: 'plugin.pass_invalid' } })
  expect(server.load.total).toBe(before)
})

test('a pass is used again until it expires, also one that was seen before [FWD-07]', async () => {
  const plugin = described()
  const body = { pass: await site.pass({ plugins: [plugin] }), plugin_id: plugin, ...(await ask(keys.publicKey)) }
  expect((await post(forwarder, '/call', body)).status).toBe(200)
  expect((await post(forwarder, '/call', body)).status).toBe(200)
  site.clock.advance(600_000)
  expect(await post(forwarder, '/call', body)).toMatchObject({
    status: 401,
    body: { error_key: 'plugin.pass_invalid' },
  })
})

test('a plugin outside the pass is refused, and so is a pass of the wrong kind [FWD-08]', async () => {
  const [inside, outside] = [described(), described()]
  const { request } = await ask(keys.publicKey)
  const pass = await site.pass({ plugins: [inside] })
  const registry = await site.pass({ kind: 'registry', plugins: [inside] })
  const refused = { status: 403, body: { error_key: 'plugin.not_in_pass' } }
  expect(await post(forwarder, '/call', { pass, plugin_id: outside, request })).toMatchObject(refused)
  expect(await post(forwarder, '/call', { pass: registry, plugin_id: inside, request })).toMatchObject(refused)
  expect(await post(forwarder, '/registry', { pass, plugin_id: inside })).toMatchObject(refused)
})

test.each([
  ['none', undefined],
  ['a plain text', 'which plans are there?'],
  ['an object', { _enc: 1 }],
  ['one that is too long', `{"_enc":1,"k":"${'A'.repeat(344)}","iv":"${'A'.repeat(16)}","d":"${'A'.repeat(70_000)}"}`],
])('a call whose question is %s is refused [FWD-10]', async (_what, request) => {
  const plugin = described()
  const pass = await site.pass({ plugins: [plugin] })
  const before = server.load.total
  const answer = await post(forwarder, '/call', { pass, plugin_id: plugin, request })
  expect(answer).toMatchObject({ status: 400, body: { error_key: 'plugin.request_invalid' } })
  expect(server.load.total).toBe(before)
})

test('a plugin that its region does not know, or that is of another company, is not found [FWD-11]', async () => {
  const plugin = described()
  const { request } = await ask(keys.publicKey)
  const gone = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
  const notFound = { status: 404, body: { error_key: 'plugin.not_found' } }
  const pass = await site.pass({ plugins: [gone] })
  expect(await post(forwarder, '/call', { pass, plugin_id: gone, request })).toMatchObject(notFound)
  const foreign = await site.pass({ plugins: [plugin], companyId: gone })
  expect(await post(forwarder, '/call', { pass: foreign, plugin_id: plugin, request })).toMatchObject(notFound)
})

test('a question for an earlier key is answered with the new one, which the region stores [FWD-09] [ERR-08]', async () => {
  const earlier = keys
  const plugin = described()
  const pass = await site.pass({ plugins: [plugin] })
  const next = await makeKeys()
  const rollover = await signKeyRollover(cryptoPlatform, earlier.privateKey, next.publicKey)
  const rollovers = rollover.ok ? [rollover.value] : []
  keys = { ...next, rollovers }
  const old = await ask(earlier.publicKey)
  const answer = await post(forwarder, '/call', { pass, plugin_id: plugin, request: old.request })
  expect(answer).toMatchObject({
    status: 409,
    body: { error_key: 'plugin.key_changed', public_key: keys.publicKey, key_rollovers: rollovers },
  })
  expect(rollovers).toHaveLength(1)
  const refreshed = { ok: true, description: { key_rollovers: rollovers } }
  expect(site.region.plugins.get(plugin)).toMatchObject({ publicKey: keys.publicKey, refreshes: [refreshed] })
  const again = await ask(String(answer.body['public_key']))
  const second = await post(forwarder, '/call', { pass, plugin_id: plugin, request: again.request })
  expect(await again.open(second.body['reply'])).toEqual(options)
})

test('a plugin without a stored description does not respond [FWD-14]', async () => {
  const plugin = described({ publicKey: null })
  const { request } = await ask(keys.publicKey)
  const answer = await post(forwarder, '/call', {
    pass: await site.pass({ plugins: [plugin] }),
    plugin_id: plugin,
    request,
  })
  expect(answer).toMatchObject({ status: 502, body: { error_key: 'plugin.not_responding' } })
})

test('a registry call stores the description and answers the plugin as the region has it', async () => {
  const plugin = described({ publicKey: null, token: 'plugin-token' })
  const pass = await site.pass({ kind: 'registry', plugins: [plugin] })
  const paths: unknown[] = []
  server.handle = (request, response) => {
    paths.push([request.method, request.url, request.headers.authorization])
    sendJson(response, { ...manifestOf(keys), extra: 'dropped' })
  }
  const answer = await post(forwarder, '/registry', { pass, plugin_id: plugin })
  expect(answer).toMatchObject({ status: 200, body: { plugin: { id: plugin, name: 'Tariffs', last_error: null } } })
  expect(paths).toEqual([['GET', '/manifest', 'Bearer plugin-token']])
  expect(site.region.plugins.get(plugin)?.refreshes).toEqual([{ ok: true, description: manifestOf(keys) }])
})

test('pages of every origin may call, without credentials', async () => {
  const preflight = await fetch(`${forwarder.url}/call`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://any.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).not.toMatch(/authorization/i)
  const answer = await post(forwarder, '/call', {}, { origin: 'https://any.example' })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  for (const { headers } of [preflight, answer]) expect(headers.get('access-control-allow-credentials')).toBeNull()
})

/** Each engine with a short wait for it alone, so that no other one is the reason of a refusal. */
test.each([
  ['Redis', site.redis, { REDIS_TIMEOUT_MS: '500' }],
  ['the NATS of the region', site.nats, { ASK_TIMEOUT_MS: '500' }],
])('without %s the forwarder is unavailable, and it recovers [FWD-15]', async (_name, engine, settings) => {
  const own = await site.start({ plugin: server, settings })
  const plugin = described()
  const pass = await site.pass({ plugins: [plugin] })
  const { request } = await ask(keys.publicKey)
  const call = () => post(own, '/call', { pass, plugin_id: plugin, request })
  const answers = () => waitUntil('the forwarder answers', WAIT_MS, async () => (await call()).status === 200)
  await answers()
  await engine.kill()
  await waitUntil('a call is refused', WAIT_MS, async () => (await call()).status !== 200)
  const refused = await call()
  await engine.start()
  expect(refused).toMatchObject({ status: 503, body: { error_key: 'plugin.unavailable' } })
  await answers()
  expect(site.region.plugins.get(plugin)?.refreshes).toEqual([])
})
