import type { PluginFact } from '@sealpost/flow'
import { parseUuid, type UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { PassPlugin } from '@sealpost/protocol'
import type { Plugin, PluginId } from '../model.ts'
import { hostOf, nameOf } from '../rules/shown.ts'
import { lockPluginsForShare, pickPlugins } from '../store/plugins.ts'

/** Those of the named plugins that the company has, by id. */
export async function readPluginFacts(
  read: Read,
  companyId: UserId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PluginFact>> {
  const named = readIds(ids)
  return factsOf(named.length === 0 ? [] : await pickPlugins(read, companyId, named))
}

/** The same, which stay as they are until the end of the transaction. */
export async function lockPluginFacts(
  tx: Tx,
  companyId: UserId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PluginFact>> {
  const named = readIds(ids)
  return factsOf(named.length === 0 ? [] : await lockPluginsForShare(tx, companyId, named))
}

/** All plugins of the company, by id. */
export async function readAllPluginFacts(read: Read, companyId: UserId): Promise<ReadonlyMap<string, PluginFact>> {
  return factsOf(await pickPlugins(read, companyId, null))
}

/** All plugins of the company, which stay as they are until the end of the transaction. */
export async function lockAllPluginFacts(tx: Tx, companyId: UserId): Promise<ReadonlyMap<string, PluginFact>> {
  return factsOf(await lockPluginsForShare(tx, companyId, null))
}

/** The keys to which clients seal questions; null for a plugin without a description and for one that is gone. */
export async function readPluginKeys(read: Read, companyId: UserId, ids: readonly string[]): Promise<PassPlugin[]> {
  const named = readIds(ids)
  const found = named.length === 0 ? [] : await pickPlugins(read, companyId, named)
  const described = new Map<string, Plugin['description']>(
    found.map(({ pluginId, description }) => [pluginId, description]),
  )
  return [...new Set(ids)].map((id) => {
    const { public_key: key = null, key_rollovers: rollovers = [] } = described.get(id) ?? {}
    return { id, public_key: key, key_rollovers: rollovers }
  })
}

function factsOf(plugins: readonly Plugin[]): ReadonlyMap<string, PluginFact> {
  return new Map(plugins.map((plugin) => [plugin.pluginId, factOf(plugin)]))
}

function factOf(plugin: Plugin): PluginFact {
  const types = plugin.description?.field_types ?? null
  return {
    name: nameOf(plugin),
    host: hostOf(plugin),
    fieldTypes: types === null ? null : new Map(types.map(({ key, ...type }) => [key, type])),
  }
}

function readIds(ids: readonly string[]): readonly PluginId[] {
  return [...new Set(ids)].flatMap((id) => parseUuid<PluginId>(id) ?? [])
}
