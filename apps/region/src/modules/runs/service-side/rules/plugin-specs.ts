import type { FlowNode, PluginUse } from '@sealpost/flow'

/** What a client needs to answer the plugin elements of a step, by slug. */
export function pluginSpecs({ elements }: Pick<FlowNode, 'elements'>): Record<string, PluginUse> {
  return Object.fromEntries(
    elements.flatMap((element) => (element.kind === 'plugin' ? [[element.slug, element.plugin] as const] : [])),
  )
}
