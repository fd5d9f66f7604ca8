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
  const { plugin_id, field_type, inputs } = element.plugin
  const plugin = plugins.get(plugin_id)
  const snapshot = plugin === undefined ? null : snapshotOf(plugin, field_type)
  // In the order in which the parser reads them: equal definitions are equal texts.
  return snapshot === null ? element : { ...element, plugin: { plugin_id, field_type, snapshot, inputs } }
}

/** Null for an unknown field type. */
export function snapshotOf({ name, host, fieldTypes }: PluginFact, fieldType: string): PluginSnapshot | null {
  const description = fieldTypes?.get(fieldType)
  return description === undefined ? null : orderSnapshot({ plugin_name: name, host, ...description })
}

/** Its members in a fixed order: a store may return them in another one, and two equal snapshots are equal texts. */
export function orderSnapshot(snapshot: PluginSnapshot): PluginSnapshot {
  const { plugin_name, host, label, blocks, inputs, outputs } = snapshot
  return {
    plugin_name,
    host,
    label,
    blocks: blocks.map((block) => ({
      key: block.key,
      kind: block.kind,
      label: block.label,
      ...(block.depends_on === undefined ? {} : { depends_on: block.depends_on }),
    })),
    inputs: inputs.map((input) => ({ key: input.key, type: input.type, label: input.label, required: input.required })),
    outputs: outputs.map((output) => ({ key: output.key, type: output.type, label: output.label })),
  }
}
