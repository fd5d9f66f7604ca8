import { accept, decline, type Result } from '@sealpost/kernel'
import type { PluginSnapshot } from '../definition/definition.ts'
import type { PluginFact } from './facts.ts'
import { snapshotOf } from './snapshots.ts'

/** A plugin that answers a request row or a claim, with its description of that moment. A type: it travels as JSON. */
export type ChosenPlugin = {
  readonly plugin_id: string
  readonly plugin_name: string
  readonly field_type: string
  readonly snapshot: PluginSnapshot
}

/**
 * The plugin that a row or a claim names, by id or by a name that only one plugin has. Outside of flows nothing is wired,
 * so a field type that requires an input cannot be answered. The refusal completes a sentence about the row.
 */
export function choosePlugin(given: unknown, plugins: ReadonlyMap<string, PluginFact>): Result<ChosenPlugin, string> {
  if (typeof given !== 'object' || given === null) return decline('has no plugin; name its plugin_id and field_type')
  const { plugin_id: id, plugin_name: name, field_type: fieldType }: Readonly<Record<string, unknown>> = { ...given }
  const found = findPlugin(plugins, id, name)
  if (!found.ok) return found
  const [pluginId, plugin] = found.value
  if (plugin.fieldTypes === null) return decline('names a plugin without a description; refresh the plugin first')
  const snapshot = typeof fieldType === 'string' ? snapshotOf(plugin, fieldType) : null
  if (typeof fieldType !== 'string' || snapshot === null)
    return decline('names a field type that its plugin does not have')
  const required = snapshot.inputs.find((input) => input.required)
  if (required !== undefined) {
    return decline(`names a field type that requires the input ${required.key}, which only a flow can give`)
  }
  return accept({ plugin_id: pluginId, plugin_name: plugin.name, field_type: fieldType, snapshot })
}

function findPlugin(
  plugins: ReadonlyMap<string, PluginFact>,
  id: unknown,
  name: unknown,
): Result<readonly [string, PluginFact], string> {
  const named = [...plugins].filter(([key, plugin]) => (typeof id === 'string' ? key === id : plugin.name === name))
  const [first, second] = named
  if (first === undefined) return decline('names a plugin that this account does not have')
  if (second !== undefined) return decline('names a plugin by a name that several have; use plugin_id')
  return accept(first)
}
