import type { PublishIssue } from '@sealpost/protocol'
import type { PluginElement, PluginInput } from '../definition/definition.ts'
import { pointer, type JsonPointer } from '../definition/pointer.ts'
import type { PublishContext } from './context.ts'
import { issue, quoted } from './issue.ts'

export function checkPlugins(context: PublishContext): readonly PublishIssue[] {
  return context.elements.flatMap(({ element, path, node }) =>
    element.kind === 'plugin' ? checkPlugin(context, { element, path, nodeKey: node.key }) : [],
  )
}

interface PluginSite {
  readonly element: PluginElement
  readonly path: JsonPointer
  readonly nodeKey: string
}

function checkPlugin(context: PublishContext, site: PluginSite): readonly PublishIssue[] {
  const { plugin_id, field_type } = site.element.plugin
  const at = pointer(site.path, 'plugin')
  const plugin = context.facts.plugins.get(plugin_id)
  if (plugin === undefined) return [issue('flow_plugin.unknown', pointer(at, 'plugin_id'), quoted(plugin_id))]
  const description = plugin.fieldTypes?.get(field_type)
  if (description === undefined) {
    return [issue('flow_plugin.field_type_unknown', pointer(at, 'field_type'), quoted(field_type))]
  }
  return description.inputs.flatMap((input) => checkInput(context, site, input))
}

function checkInput(context: PublishContext, site: PluginSite, input: PluginInput): readonly PublishIssue[] {
  const path = pointer(site.path, 'plugin', 'inputs', input.key)
  const key = site.element.plugin.inputs[input.key]
  if (key === undefined) return input.required ? [issue('flow_plugin.input_unwired', path, quoted(input.key))] : []
  if (context.stateOf(key, site.nodeKey) !== 'available') {
    return [issue('flow_plugin.input_not_answerable', path, `${quoted(input.key)} reads ${quoted(key)}`)]
  }
  const given = context.typeOf(key)
  if (given === null || input.type === 'text' || input.type === given) return []
  return [
    issue('flow_plugin.input_type_mismatch', path, `${quoted(input.key)} is ${input.type}, ${quoted(key)} ${given}`),
  ]
}
