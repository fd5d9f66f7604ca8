import { pluginInputs, privacyView } from '@sealpost/flow/run'
import type { PreparedStep } from '../flows/prepare-step.ts'
import { type FlowRun, privateSlugsOf } from '../flows/run.ts'
import type { PluginInputs } from './filled-plugin-field.ts'
import { PluginError } from './plugin-error.ts'

/** The inputs of a plugin element from the values of the run and of the step as it is filled now. */
export function stepInputs(
  { definition, turn }: PreparedStep,
  run: FlowRun,
  userId: string,
  slug: string,
): PluginInputs {
  const element = turn.node.elements.find((one) => one.kind === 'plugin' && one.slug === slug)
  if (element?.kind !== 'plugin') throw new PluginError('not_a_plugin_field', slug)
  const parties = Object.entries(run.bindings).flatMap(([party, user]) => (user === userId ? [party] : []))
  const view = privacyView(definition, {
    nodeKey: turn.node.key,
    parties: new Set(parties),
    privateSlugs: privateSlugsOf(run),
  })
  return pluginInputs(element, turn.values, view)
}
