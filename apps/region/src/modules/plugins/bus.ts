import { type Bus, DIRECTORY } from '@sealpost/bus'
import { parseUuid, type UserId } from '@sealpost/kernel'
import { listPassKeysAsk, listSigningKeysAsk, openPluginAsk, refuse, storeRefreshAsk } from '@sealpost/protocol'
import type { PluginsContext } from './context.ts'
import type { PluginId, PluginName } from './model.ts'
import { openPlugin, storeRefresh } from './operations/refresh.ts'

/** Asks of the forwarder about the plugins of this region. */
export function answerForwarder(bus: Bus, plugins: PluginsContext): void {
  bus.onRead(listPassKeysAsk, () => bus.ask(listSigningKeysAsk, { to: DIRECTORY, body: {} }))
  bus.onRead(openPluginAsk, ({ body }) => openPlugin(plugins, nameOf(body)))
  bus.onAsk(storeRefreshAsk, async (tx, { body }) => ({
    plugin: await storeRefresh(plugins, tx, nameOf(body), body.outcome),
  }))
}

function nameOf(body: { readonly company_id: string; readonly plugin_id: string }): PluginName {
  const companyId = parseUuid<UserId>(body.company_id)
  const pluginId = parseUuid<PluginId>(body.plugin_id)
  if (companyId === null || pluginId === null) throw refuse('plugin.not_found')
  return { companyId, pluginId }
}
