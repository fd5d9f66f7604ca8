import { type Definition, graphOf, reachableFrom } from '@sealpost/flow'

/** The plugins of the steps that a run at one of these steps may still come to. */
export function neededPlugins(definition: Definition, steps: readonly string[]): ReadonlySet<string> {
  const graph = graphOf(definition)
  const ahead = new Set(steps.flatMap((step) => [...reachableFrom(graph, step)]))
  const elements = definition.nodes.filter(({ key }) => ahead.has(key)).flatMap((node) => node.elements)
  return new Set(elements.flatMap((element) => (element.kind === 'plugin' ? [element.plugin.plugin_id] : [])))
}
