import type { Definition, FlowElement, PluginSnapshot } from '../definition/definition.ts'
import type { PluginFact } from './facts.ts'

/**
 * The definition with every plugin's current description in it, as saving and publishing write it. Where a plugin or
 * its field type is unknown, the older snapshot stays.
 */
export function takeSnapshots(definition: Definition, plugins: ReadonlyMap<string, PluginFact>): Definition {
  const nodes = definition.nodes.map((node) => ({
    ...node,
    elements: node.elements.map((element) => withSnapshot(element, plugins)),
  }))
  return { ...definition, nodes }
}

function withSnapshot(element: FlowElement, plugins: ReadonlyMap<string, PluginFact>): FlowElement {
  if (element.kind !== 'plugin') return element
  const plugin = plugins.get(element.plugin.plugin_id)
  const snapshot = plugin === undefined ? null : snapshotOf(plugin, element.plugin.field_type)
  return snapshot === null ? element : { ...element, plugin: { ...element.plugin, snapshot } }
}

function snapshotOf({ name, host, fieldTypes }: PluginFact, fieldType: string): PluginSnapshot | null {
  const description = fieldTypes?.get(fieldType)
  return description === undefined ? null : { plugin_name: name, host, ...description }
}
