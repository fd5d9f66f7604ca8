import type { TurnPass } from '@sealpost/protocol'
import { readPluginKeys, signPass } from '../../../plugins/index.ts'
import { findService, listRequestRows, type ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { CustomerType } from '../model.ts'
import { isAsked } from '../rules/rows.ts'

/** A pass to the plugin of a row; null when such customers are not asked for it. */
export async function passForRow(
  context: ServiceSideContext,
  { companyId, serviceId }: ServiceName,
  { slug, customerType }: { readonly slug: string; readonly customerType: CustomerType },
): Promise<TurnPass | null> {
  const found = await context.database.read(async (read) => {
    if ((await findService(read, companyId, serviceId)) === null) return null
    const rows = await listRequestRows(read, companyId, serviceId)
    const plugin = rows.find((row) => row.slug === slug && isAsked(row, customerType))?.plugin ?? null
    return plugin === null ? null : { plugin, plugins: await readPluginKeys(read, companyId, [plugin.plugin_id]) }
  })
  if (found === null) return null
  const { plugin_id, field_type, snapshot } = found.plugin
  const signed = await signPass(context, { kind: 'field', companyId, pluginIds: [plugin_id] })
  return { ...signed, plugins: found.plugins, specs: { [slug]: { plugin_id, field_type, snapshot, inputs: {} } } }
}
