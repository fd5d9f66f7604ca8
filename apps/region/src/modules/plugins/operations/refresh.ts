import { createCryptoPlatform, isPublicKey } from '@sealpost/crypto'
import type { Tx } from '@sealpost/postgres'
import { refuse, type RefreshOutcome } from '@sealpost/protocol'
import type { PluginsContext } from '../context.ts'
import type { PluginName } from '../model.ts'
import { isSoundDescription } from '../rules/description.ts'
import { findPlugin, lockPlugin, storeDescription, storeLastError } from '../store/plugins.ts'
import type { PluginAnswer } from '../wire.ts'
import { showPlugin } from './read-plugins.ts'
import { openToken } from './seal-token.ts'

const crypto = createCryptoPlatform(globalThis)

/** All that the forwarder needs to call a plugin. */
export async function openPlugin({ database, settings: { DATA_KEY: dataKey } }: PluginsContext, name: PluginName) {
  const plugin = await database.read((read) => findPlugin(read, name))
  if (plugin === null) throw refuse('plugin.not_found')
  const token = openToken(dataKey, plugin)
  // Without its key the token cannot be sent, and the plugin would refuse a call without it.
  if (token === 'unreadable') throw refuse('plugin.unavailable')
  return {
    base_url: plugin.baseUrl,
    builtin_key: plugin.builtinKey,
    token: token?.reveal() ?? null,
    public_key: plugin.description?.public_key ?? null,
  }
}

/** A failure keeps the stored description. A description that cannot be used is a failure, too. */
export async function storeRefresh(
  plugins: PluginsContext,
  tx: Tx,
  name: PluginName,
  outcome: RefreshOutcome,
): Promise<PluginAnswer> {
  if ((await lockPlugin(tx, name)) === null) throw refuse('plugin.not_found')
  if (!outcome.ok) await storeLastError(tx, name, outcome.error)
  else if (!isPublicKey(crypto, outcome.description.public_key)) await storeLastError(tx, name, 'key_invalid')
  else if (!isSoundDescription(outcome.description)) await storeLastError(tx, name, 'malformed')
  else await storeDescription(tx, name, outcome.description, plugins.clock.now())
  const after = await findPlugin(tx, name)
  if (after === null) throw refuse('plugin.not_found')
  return showPlugin(plugins, tx, after)
}
