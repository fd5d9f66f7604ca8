import { parseParty } from '@sealpost/bus'
import { storeRefreshAsk } from '@sealpost/protocol'
import {
  addPlugin,
  bodyOf,
  describedPlugin,
  findingsOf,
  flowAuthor,
  keyOf,
  type MadePlugin,
  openForwarderBus,
  openWorld,
  type Service,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { withPlugins } from './testing/definitions.ts'

const PLUGINS = '/api/account/plugins'

const world = await openWorld()
const forwarder = openForwarderBus(world)

async function openAuthor() {
  const service = await world.service()
  const plugin = await describedPlugin(forwarder, service.company)
  return { service, plugin, author: flowAuthor(service) }
}

/** The plugin now describes itself as `name`. */
async function rename({ company }: Service, { pluginId, description }: MadePlugin, name: string): Promise<void> {
  const outcome = { ok: true as const, description: { ...description, name } }
  const body = { company_id: company.companyId, plugin_id: pluginId, outcome }
  await forwarder.ask(storeRefreshAsk, { to: parseParty('eu'), id: `rename:${pluginId}:${name}`, body })
}

interface Written {
  readonly nodes: readonly { readonly elements: readonly { readonly plugin?: { readonly snapshot?: unknown } }[] }[]
}

function snapshotsIn(definition: unknown): readonly unknown[] {
  const { nodes } = definition as Written
  return nodes.flatMap(({ elements }) =>
    elements.flatMap(({ plugin }) => (plugin === undefined ? [] : [plugin.snapshot])),
  )
}

const used = async ({ company }: Service, id: string): Promise<unknown> => {
  const { items } = await bodyOf(company.portal('GET', PLUGINS))
  return (items as { id: string; in_use: unknown }[]).find((plugin) => plugin.id === id)?.in_use
}

describe('the description of a plugin', () => {
  test('is copied into the flow when it is saved and when it is published [FLOW-20]', async () => {
    const { service, plugin, author } = await openAuthor()
    const flow = await author.create(withPlugins(plugin.pluginId))
    const read = async () => snapshotsIn((await bodyOf(author.call('GET', `/${flow.flowId}`)))['definition'])
    const published = async () =>
      snapshotsIn((await bodyOf(service.data('GET', `/api/company-data/flows/${flow.flowId}/published`)))['definition'])
    const [rate, country] = plugin.description.field_types.map(({ key: _key, ...type }) => type)
    const [{ items }] = [await bodyOf(service.company.portal('GET', PLUGINS))]
    const host = new URL(String((items as { base_url: string }[])[0]?.base_url)).host
    const before = [rate, country].map((type) => ({ plugin_name: 'Rates', host, ...type }))
    expect(await read()).toEqual(before)
    await rename(service, plugin, 'Rates of 2027')
    expect(await read()).toEqual(before)
    await author.publish(flow)
    const after = before.map((type) => ({ ...type, plugin_name: 'Rates of 2027' }))
    expect(await published()).toEqual(after)
    // A later description changes nothing that is published, until it is published again.
    await rename(service, plugin, 'Rates of 2028')
    expect(await published()).toEqual(after)
    expect(await author.publish(flow)).toMatchObject({ version: 2 })
    expect(await published()).toEqual(before.map((type) => ({ ...type, plugin_name: 'Rates of 2028' })))
    expect(await author.publish(flow)).toMatchObject({ version: 2 })
  })

  test('has the members of FLOW-16 and FLOW-17, and a snapshot that an author made up is replaced [FLOW-16] [FLOW-17]', async () => {
    const { plugin, author } = await openAuthor()
    const text = JSON.stringify(withPlugins(plugin.pluginId))
    const made = { plugin_name: 'Made up', host: 'evil.example.com', label: '', blocks: [], inputs: [], outputs: [] }
    const given = text.replaceAll('"field_type":"rate",', `"field_type":"rate","snapshot":${JSON.stringify(made)},`)
    const flow = await author.create(JSON.parse(given) as object)
    const { definition } = await bodyOf(author.call('GET', `/${flow.flowId}`))
    const [step] = (definition as { nodes: { elements: unknown[] }[] }).nodes
    expect(step?.elements[1]).toEqual({
      kind: 'plugin',
      slug: 'vat',
      label: 'Rate',
      required: true,
      plugin: {
        plugin_id: plugin.pluginId,
        field_type: 'rate',
        snapshot: {
          plugin_name: 'Rates',
          host: expect.stringMatching(/^plugin-\d+\.sealpost\.example$/),
          label: 'Rate',
          blocks: [{ key: 'country', kind: 'search_select', label: 'Country' }],
          inputs: [{ key: 'amount', type: 'number', label: 'Amount', required: true }],
          outputs: [{ key: 'percent', type: 'number', label: 'Percent' }],
        },
        inputs: { amount: 'amount' },
      },
    })
  })
})

test('the snapshot has every kind of block, the blocks that one depends on, and what is optional [FLOW-17]', async () => {
  const service = await world.service()
  const type: Omit<MadePlugin['description']['field_types'][number], 'key'> = {
    label: 'Rate',
    blocks: [
      { key: 'country', kind: 'search_select', label: 'Country' },
      { key: 'city', kind: 'search_select', label: 'City', depends_on: ['country'] },
      { key: 'street', kind: 'search_select', label: 'Street', depends_on: ['country', 'city'] },
      { key: 'name', kind: 'text', label: 'Name' },
      { key: 'floors', kind: 'number', label: 'Floors' },
      { key: 'built', kind: 'date', label: 'Built' },
    ],
    inputs: [
      { key: 'amount', type: 'number', label: 'Amount', required: true },
      { key: 'since', type: 'date', label: 'Since', required: false },
    ],
    outputs: [
      { key: 'percent', type: 'number', label: 'Percent' },
      { key: 'is_low', type: 'boolean', label: 'Low' },
    ],
  }
  const { pluginId } = await describedPlugin(forwarder, service.company, { field_types: [{ key: 'rate', ...type }] })
  const author = flowAuthor(service)
  const written = withPlugins(pluginId)
  const nodes = written.nodes.map((node) => ({
    ...node,
    elements: node.elements.filter((element) => !JSON.stringify(element).includes('"field_type":"country"')),
  }))
  const { flowId } = await author.published({ ...written, nodes })
  const { definition } = await bodyOf(service.data('GET', `/api/company-data/flows/${flowId}/published`))
  expect(snapshotsIn(definition)).toEqual([{ plugin_name: 'Rates', host: expect.any(String), ...type }])
})

test('the plugin elements of customers are listed with the request fields of the service [REQF-05]', async () => {
  const { service, plugin, author } = await openAuthor()
  const { flowId } = await author.published(withPlugins(plugin.pluginId))
  const { request_fields: rows } = await bodyOf(service.data('GET', '/api/company-data/request-fields'))
  expect(rows).toMatchObject([
    {
      slug: 'land',
      type: 'plugin',
      one_time: true,
      mandatory: true,
      flow_id: flowId,
      plugin: {
        plugin_id: plugin.pluginId,
        plugin_name: 'Rates',
        field_type: 'country',
        snapshot: { plugin_name: 'Rates', label: 'Country' },
      },
    },
    { slug: 'reference', type: 'text', plugin: null },
  ])
})

describe('a flow is refused', () => {
  const refusal = async (author: ReturnType<typeof flowAuthor>, definition: object) => {
    const { flowId, draftToken } = await author.create(definition)
    const { status, body } = await author.call('POST', `/${flowId}/publish`, { draft_token: draftToken })
    return [status, ...new Set(findingsOf(body['issues']).map(({ error_key }) => error_key))]
  }

  test('with a plugin of another company, as with one that does not exist [PUB-21]', async () => {
    const { author } = await openAuthor()
    const theirs = await describedPlugin(forwarder, await world.company())
    expect(await refusal(author, withPlugins(theirs.pluginId))).toEqual([422, 'flow_plugin.unknown'])
    expect(await refusal(author, withPlugins('no-such-plugin'))).toEqual([422, 'flow_plugin.unknown'])
  })

  test('while the description was never fetched, and without the field type [PUB-22]', async () => {
    const { service, plugin, author } = await openAuthor()
    const silent = await addPlugin(service.company)
    expect(await refusal(author, withPlugins(silent))).toEqual([422, 'flow_plugin.field_type_unknown'])
    const text = JSON.stringify(withPlugins(plugin.pluginId)).replaceAll('"country"', '"county"')
    expect(await refusal(author, JSON.parse(text) as object)).toEqual([422, 'flow_plugin.field_type_unknown'])
  })
})

describe('a plugin', () => {
  test('is in use by the draft and by the published version of a flow, and not deleted then [PLUGIN-12] [PLUGIN-01]', async () => {
    const { service, plugin, author } = await openAuthor()
    const { pluginId } = plugin
    const path = `${PLUGINS}/${pluginId}`
    const flow = await author.create(withPlugins(pluginId), 'Rates')
    const inUse = [{ kind: 'flow', id: flow.flowId, name: 'Rates' }]
    expect(await used(service, pluginId)).toEqual(inUse)
    const refused = await service.company.portal('DELETE', path)
    expect([refused.status, keyOf(refused), refused.body['in_use']]).toEqual([409, 'plugins.in_use', inUse])
    await author.publish(flow)
    // The draft does without it; the version that can be started does not.
    const without = { ...withPlugins(pluginId), nodes: [], edges: [] }
    const saved = await author.save(flow, without)
    expect(await used(service, pluginId)).toEqual(inUse)
    expect(keyOf(await service.company.portal('DELETE', path))).toBe('plugins.in_use')
    await bodyOf(author.call('DELETE', `/${saved.flowId}`), 204)
    expect(await used(service, pluginId)).toEqual([])
    await bodyOf(service.company.portal('DELETE', path), 204)
  })

  test('is free again when the service of the flow is deleted', async () => {
    const { service, plugin, author } = await openAuthor()
    await author.create(withPlugins(plugin.pluginId))
    await bodyOf(service.company.portal('DELETE', service.path), 204)
    expect(await used(service, plugin.pluginId)).toEqual([])
  })

  test('of another company is not marked as used by a draft that names it', async () => {
    const { author } = await openAuthor()
    const theirs = await openAuthor()
    await author.create(withPlugins(theirs.plugin.pluginId))
    expect(await used(theirs.service, theirs.plugin.pluginId)).toEqual([])
  })
})
