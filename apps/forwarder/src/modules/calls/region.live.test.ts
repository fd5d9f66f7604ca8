import { generateKeyPairSync } from 'node:crypto'
import { readSettings } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import { PASS_SECONDS, PASS_TYPE } from '@sealpost/protocol'
import { bodyOf, openWorld } from '@sealpost/testkit'
import { importJWK, type JWK, SignJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { startForwarder } from '../../forwarder.ts'
import { forwarderSettings } from '../../settings.ts'
import { honestPlugin, makeKeys, manifestOf, startPluginServer } from '../../testing/plugin-server.ts'
import { ask, post, routeTo } from '../../testing/site.ts'

/** A forwarder beside a real front door and real regions. */
const world = await openWorld()
const company = await world.company({ region: 'us' })
const keys = await makeKeys()
const server = await startPluginServer(
  honestPlugin(
    () => keys,
    () => ({ outputs: { price: 12 } }),
  ),
)
const { REGIONS = '', REDIS_URL = '', FORWARDER_URL = '', SIGNING_KEYS = '' } = world.environment.frontDoor
const builtinKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const environment = {
  PUBLIC_URL: FORWARDER_URL,
  FRONT_DOOR_URL: world.frontDoor.url,
  REGIONS,
  REDIS_URL,
  REDIS_TIMEOUT_MS: '15000',
  ASK_TIMEOUT_MS: '15000',
  NATS_KEYS: world.isolated.forwarderKeys.reveal(),
  BUILTIN_KEYS: builtinKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  ALLOW_PRIVATE_TARGETS: '1',
  STRICT_CONTRACT: '1',
  LISTEN_PORT: '0',
  INTERNAL_PORT: '0',
}
const forwarder = await startForwarder(readSettings(forwarderSettings, environment), {
  clock: world.clock,
  ids: systemIds(),
  telemetry: world.telemetry,
  route: routeTo(server),
})
afterAll(async () => {
  await forwarder.close()
  await server.close()
})

const PATH = '/api/account/plugins'
/** A region takes another port than 443 on this machine only, and only in development. */
const LOCAL_URL = `https://127.0.0.1:${server.port}`

interface Added {
  readonly plugin: { readonly id: string }
  readonly pass: string
}

async function add(path: string, body: object = {}): Promise<Added> {
  return (await bodyOf(company.portal('POST', path, { body }), 201)) as unknown as Added
}

/** A pass for a step, signed as the front door signs it. */
async function callPass(pluginId: string): Promise<string> {
  const { keys: jwks } = JSON.parse(SIGNING_KEYS) as { keys: JWK[] }
  const jwk = jwks.find(({ alg }) => alg === 'ES256') ?? {}
  const iat = Math.floor(world.clock.now() / 1000)
  return new SignJWT({ kind: 'flow', pid: [pluginId], cid: company.companyId, rgn: 'us', jti: pluginId })
    .setProtectedHeader({ alg: 'ES256', typ: PASS_TYPE, kid: jwk.kid ?? '' })
    .setIssuer(world.frontDoor.url)
    .setAudience(FORWARDER_URL)
    .setIssuedAt(iat)
    .setExpirationTime(iat + PASS_SECONDS)
    .sign(await importJWK(jwk, 'ES256'))
}

test('a plugin is added, described and called: the registry pass of the region leads through the forwarder', async () => {
  const { plugin, pass } = await add(PATH, { base_url: LOCAL_URL, token: 'a-token-of-12' })
  const refreshed = await post(forwarder, '/registry', { pass, plugin_id: plugin.id })
  const { name, field_types: types } = manifestOf(keys)
  const shown = { id: plugin.id, name, field_types: types, last_error: null, last_refresh: world.time() }
  expect(refreshed).toMatchObject({ status: 200, body: { plugin: shown } })
  const { items } = await bodyOf(company.portal('GET', PATH), 200)
  expect(items).toEqual([refreshed.body['plugin']])
  const { request, open } = await ask(keys.publicKey, { op: 'outputs' })
  const answer = await post(forwarder, '/call', { pass: await callPass(plugin.id), plugin_id: plugin.id, request })
  expect(answer.status).toBe(200)
  expect(await open(answer.body['reply'])).toEqual({ outputs: { price: 12 } })
})

test('the region keeps why a description could not be fetched', async () => {
  const { plugin, pass } = await add(PATH, { base_url: `${LOCAL_URL}/elsewhere` })
  server.handle = (_request, response) => void response.end('no manifest')
  const refreshed = await post(forwarder, '/registry', { pass, plugin_id: plugin.id })
  expect(refreshed).toMatchObject({
    status: 200,
    body: { plugin: { last_error: expect.any(String), last_refresh: null } },
  })
})

test('a built-in that was switched on is described and answers', async () => {
  const { plugin, pass } = await add(`${PATH}/builtin/iso_lists`)
  const refreshed = await post(forwarder, '/registry', { pass, plugin_id: plugin.id })
  expect(refreshed).toMatchObject({ status: 200, body: { plugin: { builtin_key: 'iso_lists', last_error: null } } })
})
