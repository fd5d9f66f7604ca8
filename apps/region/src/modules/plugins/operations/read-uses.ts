import type { UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { PluginsContext } from '../context.ts'
import type { PluginId, PluginUse } from '../model.ts'
import { listUses } from '../store/uses.ts'

/** All that depends on each plugin: what is recorded, and flows whose runs still need it. */
export async function readUses(
  { hooks }: Pick<PluginsContext, 'hooks'>,
  read: Read,
  companyId: UserId,
  ids: readonly PluginId[],
): Promise<ReadonlyMap<PluginId, readonly PluginUse[]>> {
  const recorded = await listUses(read, companyId, ids)
  const uses = new Map<PluginId, readonly PluginUse[]>()
  for (const pluginId of ids) {
    const own = recorded.get(pluginId) ?? []
    const known = new Set(own.filter(({ kind }) => kind === 'flow').map(({ id }) => id))
    const needing = await hooks.flowsOfRunsThatNeed(read, { companyId, pluginId }, known)
    uses.set(pluginId, [...own, ...needing.map(({ id, name }): PluginUse => ({ kind: 'flow', id, name }))])
  }
  return uses
}
