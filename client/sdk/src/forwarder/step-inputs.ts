import { pluginInputs } from '@sealpost/flow/run'
import type { PreparedStep } from '../flows/prepare-step.ts'
import type { PluginInputs } from './filled-plugin-field.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginSpec } from './plugin-pass.ts'

/** The inputs of a plugin element from the values of the run and of the step as it is filled now. */
export function stepInputs(step: PreparedStep, slug: string): PluginInputs {
  return pluginInputs(elementOf(step, slug), step.turn.values, step.privacy)
}

/** What answers the element, as the definition of the run says. */
export function stepSpec(step: PreparedStep, slug: string): PluginSpec {
  const { snapshot, ...plugin } = elementOf(step, slug).plugin
  // A field whose description was never pinned cannot be shown.
  if (snapshot === undefined) throw new PluginError('not_a_plugin_field', slug)
  return { ...plugin, snapshot }
}

function elementOf({ turn }: PreparedStep, slug: string) {
  const element = turn.node.elements.find((one) => one.kind === 'plugin' && one.slug === slug)
  if (element?.kind !== 'plugin') throw new PluginError('not_a_plugin_field', slug)
  return element
}
