import type { Definition } from '@sealpost/flow'

/** The ids of the plugins that elements of the definition name. */
export function namedPlugins({ nodes }: Pick<Definition, 'nodes'>): readonly string[] {
  const elements = nodes.flatMap((node) => node.elements)
  return [...new Set(elements.flatMap((element) => (element.kind === 'plugin' ? [element.plugin.plugin_id] : [])))]
}
