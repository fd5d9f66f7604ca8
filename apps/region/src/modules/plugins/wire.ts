import { formatInstant } from '@sealpost/kernel'
import { maskSecret } from '../../platform/mask.ts'
import type { OpenToken, Plugin, PluginUse } from './model.ts'
import { nameOf, REFRESH_SENTENCES } from './rules/shown.ts'

export type PluginAnswer = ReturnType<typeof pluginToWire>

/** A plugin with its opened token and its uses. */
export interface ShownPlugin {
  readonly plugin: Plugin
  readonly token: OpenToken
  readonly uses: readonly PluginUse[]
}

export function pluginToWire({ plugin, token, uses }: ShownPlugin) {
  const { pluginId, baseUrl, builtinKey, description, refreshedAt, lastError, createdAt } = plugin
  return {
    id: pluginId,
    name: nameOf(plugin),
    base_url: baseUrl,
    builtin_key: builtinKey,
    token: maskedToken(token),
    field_types: description?.field_types ?? [],
    key_rollovers: description?.key_rollovers ?? [],
    last_refresh: refreshedAt === null ? null : formatInstant(refreshedAt),
    last_error: lastError === null ? null : REFRESH_SENTENCES[lastError],
    in_use: uses.map(({ kind, id, name }) => ({ kind, id, name })),
    created_at: formatInstant(createdAt),
  }
}

/** A token whose key is missing still shows that there is one. */
function maskedToken(token: OpenToken): string | null {
  if (token === 'unreadable') return maskSecret('')
  return token === null ? null : maskSecret(token.reveal())
}
