import { refuse } from '@sealpost/protocol'
import type { CallsContext } from '../context.ts'
import { findCovered } from '../rules/covered.ts'
import { fetchManifest } from './fetch-manifest.ts'

export interface RefreshBody {
  readonly pass?: unknown
  readonly plugin_id?: unknown
}

/** A description that cannot be fetched is no refusal: the plugin then shows its last error. */
export async function refreshDescription(context: CallsContext, body: RefreshBody): Promise<Record<string, unknown>> {
  const pass = await context.passes.verify(body.pass)
  const covered = findCovered(pass, 'registry', body.plugin_id)
  if (!covered.ok) throw refuse(covered.refusal)
  const name = { companyId: pass.companyId, pluginId: covered.value }
  const plugin = await context.registry.openAnew(pass.region, name)
  const outcome = await context.places.use(name.pluginId, async (place) =>
    plugin.builtinKey === null
      ? fetchManifest(context, plugin, place, context.settings.PLUGIN_TIMEOUT_MS)
      : context.builtins.describe(plugin.builtinKey),
  )
  if (!outcome.ok)
    context.telemetry.log.info({ plugin_id: name.pluginId, reason: outcome.error }, 'a plugin could not be described')
  return context.registry.store(pass.region, name, outcome)
}
