import { parseParty } from '@sealpost/bus'
import { listPassKeysAsk, openPluginAsk, type RefreshOutcome, storeRefreshAsk } from '@sealpost/protocol'
import { addPlugin, bodyOf, describedPlugin, openForwarderBus, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const PATH = '/api/account/plugins'
const MISSING = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'

const world = await openWorld()
const company = await world.company()
const forwarder = openForwarderBus(world)
const eu = parseParty('eu')
let refreshes = 0

function refresh(pluginId: string, outcome: RefreshOutcome) {
  refreshes += 1
  const body = { company_id: company.companyId, plugin_id: pluginId, outcome }
  return forwarder.ask(storeRefreshAsk, { to: eu, id: `refresh-${refreshes}`, body })
}

async function listed(id: string) {
  const { items } = await bodyOf(company.portal('GET', PATH))
  return (items as { id: string }[]).find((plugin) => plugin.id === id)
}

describe('the forwarder asks for a plugin', () => {
  const open = (company_id: string, plugin_id: string) =>
    forwarder.ask(openPluginAsk, { to: eu, body: { company_id, plugin_id } })

  test('and gets its address, its token and the key of its stored description', async () => {
    const id = await addPlugin(company, { base_url: 'https://asked.example.com', token: 'a-token-of-12' })
    const asked = { base_url: 'https://asked.example.com', builtin_key: null, token: 'a-token-of-12', public_key: null }
    expect(await open(company.companyId, id)).toEqual(asked)
    const { pluginId, description } = await describedPlugin(forwarder, company)
    expect(await open(company.companyId, pluginId)).toMatchObject({ public_key: description.public_key, token: null })
  })

  test('a built-in has neither address nor token', async () => {
    const on = await bodyOf(company.portal('POST', `${PATH}/builtin/iso_lists`), 201)
    const { id } = on['plugin'] as { id: string }
    expect(await open(company.companyId, id)).toEqual({
      base_url: null,
      builtin_key: 'iso_lists',
      token: null,
      public_key: null,
    })
  })

  test('another company’s plugin is refused like a missing one', async () => {
    const stranger = await world.company()
    const id = await addPlugin(company)
    await expect(open(stranger.companyId, id)).rejects.toMatchObject({ key: 'plugin.not_found' })
    await expect(open(company.companyId, MISSING)).rejects.toMatchObject({ key: 'plugin.not_found' })
  })
})

test('the keys of passes are those that the front door publishes', async () => {
  const published: unknown = await (await fetch(`${world.frontDoor.url}/oauth2/jwks`)).json()
  const { keys } = await forwarder.ask(listPassKeysAsk, { to: eu, body: {} })
  const kids = (published as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
  expect(new Set(keys.map(({ kid }) => kid))).toEqual(new Set(kids))
  expect(keys.some((key) => 'd' in key)).toBe(false)
})

describe('a refresh', () => {
  test('stores the description and shows its field types and the time [PLUGIN-01]', async () => {
    const { pluginId, description } = await describedPlugin(forwarder, company, { name: 'Rates of tax' })
    expect(await listed(pluginId)).toMatchObject({
      name: 'Rates of tax',
      field_types: description.field_types,
      key_rollovers: [],
      last_refresh: world.time(),
      last_error: null,
      in_use: [],
    })
  })

  test('stores how former keys vouch for the present one, and shows it', async () => {
    const rollover = { previous_sha256: 'a'.repeat(64), public_key: 'a key', signature: 'by the former key' }
    const { pluginId } = await describedPlugin(forwarder, company, { key_rollovers: [rollover] })
    expect(await listed(pluginId)).toMatchObject({ key_rollovers: [rollover] })
  })

  test('that failed keeps the description beside the error, until one succeeds [PLUGIN-01]', async () => {
    const { pluginId, description } = await describedPlugin(forwarder, company)
    const refreshed = world.time()
    world.clock.advance(60_000)
    const { plugin } = await refresh(pluginId, { ok: false, error: 'timeout' })
    expect(plugin).toMatchObject({
      id: pluginId,
      field_types: description.field_types,
      last_refresh: refreshed,
      last_error: expect.stringContaining('did not answer in time'),
    })
    await refresh(pluginId, { ok: true, description })
    expect(await listed(pluginId)).toMatchObject({ last_refresh: world.time(), last_error: null })
  })

  test.each([
    ['a key that is none', { public_key: 'bm90IGEga2V5' }, 'public key'],
    ['a field type twice', 'twice', 'expected form'],
  ])('with %s is recorded as an error', async (_, change, sentence) => {
    const { pluginId, description } = await describedPlugin(forwarder, company)
    const changed =
      typeof change === 'string' ? { field_types: [...description.field_types, ...description.field_types] } : change
    await refresh(pluginId, { ok: true, description: { ...description, name: 'Broken', ...changed } })
    expect(await listed(pluginId)).toMatchObject({ name: 'Rates', last_error: expect.stringContaining(sentence) })
  })

  test('of a plugin that is gone is refused', async () => {
    const id = await addPlugin(company)
    await bodyOf(company.portal('DELETE', `${PATH}/${id}`), 204)
    await expect(refresh(id, { ok: false, error: 'timeout' })).rejects.toMatchObject({ key: 'plugin.not_found' })
  })
})
