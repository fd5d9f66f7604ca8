import type { Definition } from '@sealpost/flow'
import { expect, test } from 'vitest'
import { EMPTY_DEFINITION, readDefinitionGiven } from './definition-given.ts'
import { namedAssets } from './named-assets.ts'
import { namedPlugins } from './named-plugins.ts'

const plugin = (plugin_id: string) => ({ kind: 'plugin', slug: 's', label: 'L', required: true, plugin: { plugin_id } })
const field = { kind: 'field', slug: 'name', label: 'Name', required: true, field_type: 'text' }

function definitionOf(nodes: readonly { elements: readonly object[]; outputs?: readonly object[] }[]): Definition {
  return { ...EMPTY_DEFINITION, nodes: nodes as unknown as Definition['nodes'] }
}

test('each plugin is named once, and only by plugin elements', () => {
  const nodes = [{ elements: [field, plugin('one'), plugin('two')] }, { elements: [plugin('one')] }]
  expect(namedPlugins(definitionOf(nodes))).toEqual(['one', 'two'])
  expect(namedPlugins(definitionOf([{ elements: [field] }]))).toEqual([])
})

test('pictures and templates of rules are the assets of a definition', () => {
  const outputs = [{ rules: [{ asset_key: 'letter' }, { source_key: 'own' }] }, { rules: [{ asset_key: 'letter' }] }]
  const nodes = [{ elements: [field, { kind: 'image', asset_key: 'logo' }], outputs }, { elements: [] }]
  expect([...namedAssets(definitionOf(nodes))]).toEqual(['logo', 'letter'])
})

test('the empty definition is one that can be read', () => {
  expect(readDefinitionGiven(EMPTY_DEFINITION)).toEqual({ ok: true, value: EMPTY_DEFINITION })
})

test('a fault names its place in the body', () => {
  const read = readDefinitionGiven({ ...EMPTY_DEFINITION, nodes: 7 })
  expect(read).toMatchObject({ ok: false, refusal: [{ path: '/definition/nodes' }] })
})
