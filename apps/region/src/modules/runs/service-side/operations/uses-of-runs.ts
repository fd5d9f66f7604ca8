import type { UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type FlowId, neededPlugins, listVersionsNaming, readVersion } from '../../../flows/index.ts'
import { listAwaitingSteps } from '../store/awaiting-steps.ts'

/** A flow whose runs need a plugin. */
export interface NeedingFlow {
  readonly id: FlowId
  readonly name: string
}

/**
 * The flows with runs that may still come to a step with the plugin, in whatever version they pinned and also when the
 * flow was deleted. `known` flows are left out: they are users of the plugin already.
 */
export async function flowsOfRunsThatNeed(
  read: Read,
  { companyId, pluginId }: { readonly companyId: UserId; readonly pluginId: string },
  known: ReadonlySet<string>,
): Promise<readonly NeedingFlow[]> {
  const needing = new Map<FlowId, NeedingFlow>()
  for (const { name, version, ...flow } of await listVersionsNaming(read, companyId, pluginId)) {
    if (known.has(flow.flowId) || needing.has(flow.flowId)) continue
    const steps = await listAwaitingSteps(read, flow, version)
    const pinned = steps.length === 0 ? null : await readVersion(read, flow, version)
    if (pinned === null || !neededPlugins(pinned.definition, steps).has(pluginId)) continue
    needing.set(flow.flowId, { id: flow.flowId, name })
  }
  return [...needing.values()]
}
