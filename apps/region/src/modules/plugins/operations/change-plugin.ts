import { refuse } from '@sealpost/protocol'
import { recordAudit } from '../../account/index.ts'
import type { PluginsContext } from '../context.ts'
import type { Plugin } from '../model.ts'
import { readTokenChange } from '../rules/token.ts'
import { lockPlugin, replaceToken } from '../store/plugins.ts'
import type { PluginAnswer } from '../wire.ts'
import { showPlugin } from './read-plugins.ts'
import { sealToken } from './seal-token.ts'

/** The token; nothing else of a plugin can be changed. */
export async function changePlugin(
  plugins: PluginsContext,
  actorId: string,
  name: Plugin,
  body: { readonly token?: unknown },
): Promise<PluginAnswer> {
  const change = readTokenChange(body.token)
  if (!change.ok) throw refuse('plugins.body_invalid')
  const { companyId, pluginId, builtinKey } = name
  const token = change.value
  if (builtinKey !== null && typeof token !== 'string') throw refuse('plugins.builtin_token_locked')
  return plugins.database.transaction(async (tx) => {
    const before = await lockPlugin(tx, name)
    if (before === null) throw refuse('plugins.not_found')
    if (token === 'keep') return showPlugin(plugins, tx, before)
    const sealed = token === 'clear' ? null : sealToken(plugins.settings.DATA_KEY, pluginId, token)
    await replaceToken(tx, name, sealed)
    const at = plugins.clock.now()
    await recordAudit(tx, { companyId, actorId, action: 'plugins.change', ref: pluginId, at })
    return showPlugin(plugins, tx, { ...before, token: sealed })
  })
}
