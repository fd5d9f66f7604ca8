import type { Asker, Party } from '@sealpost/bus'
import { createBoundedCache, Secret } from '@sealpost/kernel'
import { ApiError, openPluginAsk, type RefreshOutcome, refuse, storeRefreshAsk } from '@sealpost/protocol'
import type { OpenedPlugin, PluginName } from './model.ts'

/** The plugins of all regions. Each call throws `plugin.not_found`, or `plugin.unavailable` when a region is away. */
export interface PluginRegistry {
  /** At most `KEPT_MS` old. */
  open(region: Party, plugin: PluginName): Promise<OpenedPlugin>
  /** As the region has it now. */
  openAnew(region: Party, plugin: PluginName): Promise<OpenedPlugin>
  /** Answers the plugin as its company sees it. */
  store(region: Party, plugin: PluginName, outcome: RefreshOutcome): Promise<Record<string, unknown>>
}

const KEPT_MS = 2000
const KEPT_PLUGINS = 10_000

export function openRegistry(asker: Asker): PluginRegistry {
  const opened = createBoundedCache<string, Promise<OpenedPlugin>>({
    most: KEPT_PLUGINS,
    expiry: { keepMs: KEPT_MS, now: () => performance.now() },
  })
  const openAnew = (region: Party, plugin: PluginName): Promise<OpenedPlugin> => {
    const opening = openAt(asker, region, plugin)
    opened.set(nameOf(region, plugin), opening)
    return opening
  }
  return {
    // A refusal is remembered as well: callers of a plugin that is gone cost its region no more than others.
    open: (region, plugin) => opened.get(nameOf(region, plugin)) ?? openAnew(region, plugin),
    openAnew,
    async store(region, { companyId, pluginId }, outcome) {
      const body = { company_id: companyId, plugin_id: pluginId, outcome }
      const { plugin } = await asker.ask(storeRefreshAsk, { to: region, body }).catch(refuseAsForwarder)
      opened.delete(nameOf(region, { companyId, pluginId }))
      return plugin
    },
  }
}

function nameOf(region: Party, { companyId, pluginId }: PluginName): string {
  return `${region} ${companyId} ${pluginId}`
}

async function openAt(asker: Asker, region: Party, { companyId, pluginId }: PluginName): Promise<OpenedPlugin> {
  const body = { company_id: companyId, plugin_id: pluginId }
  const found = await asker.ask(openPluginAsk, { to: region, body }).catch(refuseAsForwarder)
  const isDescribed = found.public_key !== null
  if (found.builtin_key !== null) return { builtinKey: found.builtin_key, isDescribed }
  if (found.base_url === null) throw refuse('plugin.not_found')
  const token = found.token === null ? null : new Secret(found.token)
  return { builtinKey: null, baseUrl: found.base_url, token, isDescribed }
}

/** Regions have more reasons than callers of the forwarder can do something about. */
function refuseAsForwarder(error: unknown): never {
  if (!(error instanceof ApiError) || error.key === 'plugin.not_found') throw error
  throw refuse('plugin.unavailable')
}
