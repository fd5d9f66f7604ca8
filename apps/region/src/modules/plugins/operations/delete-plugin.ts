import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { recordAudit } from '../../account/index.ts'
import type { PluginsContext } from '../context.ts'
import type { PluginName } from '../model.ts'
import { deletePluginRow, deletePluginsOf, lockPlugin } from '../store/plugins.ts'
import { readUses } from './read-uses.ts'

export async function deletePlugin(
  { database, clock, hooks }: PluginsContext,
  actorId: string,
  name: PluginName,
): Promise<void> {
  const { companyId, pluginId } = name
  await database.transaction(async (tx) => {
    // The lock waits for those that begin to use the plugin, and they wait for it.
    if ((await lockPlugin(tx, name)) === null) throw refuse('plugins.not_found')
    const uses = (await readUses({ hooks }, tx, companyId, [pluginId])).get(pluginId) ?? []
    if (uses.length > 0) throw refuse('plugins.in_use', { in_use: [...uses] })
    await deletePluginRow(tx, name)
    await recordAudit(tx, { companyId, actorId, action: 'plugins.delete', ref: pluginId, at: clock.now() })
  })
}

/** Runs in the transaction that deletes the account. */
export function deleteAllPlugins(tx: Tx, companyId: UserId): Promise<void> {
  return deletePluginsOf(tx, companyId)
}
