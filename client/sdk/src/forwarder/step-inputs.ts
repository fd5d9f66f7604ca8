import { pluginInputs } from '@sealpost/flow/run'
import type { PreparedStep } from '../flows/prepare-step.ts'
import type { PluginInputs } from './filled-plugin-field.ts'
import { PluginError } from './plugin-error.ts'

/** The inputs of a plugin element from the values of the run and of the step as it is filled now. */
export function stepInputs({ turn, privacy }: PreparedStep, slug: string): PluginInputs {
  const element = turn.node.elements.find((one) => one.kind === 'plugin' && one.slug === slug)
  if (element?.kind !== 'plugin') throw new PluginError('not_a_plugin_field', slug)
  return pluginInputs(element, turn.values, privacy)
}
