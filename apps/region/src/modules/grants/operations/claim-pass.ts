import { parseClientId } from '@sealpost/kernel'
import type { TurnPass } from '@sealpost/protocol'
import { findClientState } from '../../access/index.ts'
import { findSigninApp } from '../../clients/index.ts'
import { readPluginKeys, signPass } from '../../plugins/index.ts'
import type { GrantsContext } from '../context.ts'

/** A pass to the plugin of a claim; null for an unknown app and for a claim that no plugin answers. */
export async function passForClaim(
  grants: GrantsContext,
  { clientId: text, name }: { readonly clientId: string; readonly name: string },
): Promise<TurnPass | null> {
  const clientId = parseClientId(text)
  if (clientId === null) return null
  const found = await grants.database.read(async (read) => {
    const companyId = (await findClientState(read, clientId))?.companyId
    const app = companyId === undefined ? null : await findSigninApp(read, companyId, clientId)
    const plugin = app?.settings.claims.find((claim) => claim.name === name)?.plugin
    if (companyId === undefined || plugin === undefined) return null
    return { companyId, plugin, plugins: await readPluginKeys(read, companyId, [plugin.plugin_id]) }
  })
  if (found === null) return null
  const { plugin_id, field_type, snapshot } = found.plugin
  const signed = await signPass(grants, { kind: 'claim', companyId: found.companyId, pluginIds: [plugin_id] })
  return { ...signed, plugins: found.plugins, specs: { [name]: { plugin_id, field_type, snapshot, inputs: {} } } }
}
