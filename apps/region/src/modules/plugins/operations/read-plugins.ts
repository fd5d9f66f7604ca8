import { ListAnswer } from '@sealpost/http'
import { parseUuid, type UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { builtinPlugins, type PageQueryText, refuse } from '@sealpost/protocol'
import { listPage, type Page } from '../../../platform/page.ts'
import type { PluginsContext } from '../context.ts'
import type { Plugin, PluginId } from '../model.ts'
import { findPlugin, listBuiltinKeys, listPluginRows } from '../store/plugins.ts'
import { type PluginAnswer, pluginToWire, type ShownPlugin } from '../wire.ts'
import { readUses } from './read-uses.ts'
import { openToken } from './seal-token.ts'

/** Runs before the body is validated: the answer to another company's id does not depend on the body. */
export async function locatePlugin(
  { database }: Pick<PluginsContext, 'database'>,
  companyId: UserId,
  text: string,
): Promise<Plugin> {
  const pluginId = parseUuid<PluginId>(text)
  const found = pluginId === null ? null : await database.read((read) => findPlugin(read, { companyId, pluginId }))
  if (found === null) throw refuse('plugins.not_found')
  return found
}

interface Builtins {
  readonly builtin: { key: (typeof builtinPlugins)[number]['key']; name: string; enabled: boolean }[]
}

/** Oldest first, with the built-in plugins of the platform beside them. */
export async function listPlugins(
  plugins: PluginsContext,
  companyId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<PluginAnswer> & Builtins>> {
  const { database } = plugins
  const list = { name: 'plugins', idOf: ({ plugin }: ShownPlugin) => plugin.pluginId, toWire: pluginToWire }
  const enabled = await database.read((read) => listBuiltinKeys(read, companyId))
  const builtin = builtinPlugins.map(({ key, name }) => ({ key, name, enabled: enabled.has(key) }))
  const { source } = await listPage<ShownPlugin, PluginAnswer, PluginId>(list, query, (slice) =>
    database.read(async (read) => showPlugins(plugins, read, companyId, await listPluginRows(read, companyId, slice))),
  )
  return new ListAnswer({
    member: source.member,
    endsAtSize: source.endsAtSize,
    next: () => source.next(),
    furtherMembers: { builtin },
    rest: async (written) => ({ ...(await source.rest(written)), builtin }),
  })
}

export async function showPlugin(
  plugins: Pick<PluginsContext, 'settings' | 'hooks'>,
  read: Read,
  plugin: Plugin,
): Promise<PluginAnswer> {
  const [shown] = await showPlugins(plugins, read, plugin.companyId, [plugin])
  if (shown === undefined) throw new Error('one plugin is shown for each that is given')
  return pluginToWire(shown)
}

async function showPlugins(
  { settings: { DATA_KEY: dataKey }, hooks }: Pick<PluginsContext, 'settings' | 'hooks'>,
  read: Read,
  companyId: UserId,
  found: readonly Plugin[],
): Promise<readonly ShownPlugin[]> {
  const ids = found.map(({ pluginId }) => pluginId)
  const uses = await readUses({ hooks }, read, companyId, ids)
  return found.map((plugin) => ({
    plugin,
    token: openToken(dataKey, plugin),
    uses: uses.get(plugin.pluginId) ?? [],
  }))
}
