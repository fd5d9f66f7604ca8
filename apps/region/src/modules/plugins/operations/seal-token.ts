import { type Keyring, Secret } from '@sealpost/kernel'
import { openUnder, type Sealed, SealingError, sealUnder } from '@sealpost/sealing'
import type { OpenToken, Plugin, PluginId } from '../model.ts'

/** Bound to the plugin: the token of one cannot be put into the row of another. */
export function sealToken(dataKey: Keyring, id: PluginId, token: Secret<string>): Sealed {
  return sealUnder(dataKey, token.reveal(), tokenContext(id))
}

export function openToken(dataKey: Keyring, { pluginId, token }: Pick<Plugin, 'pluginId' | 'token'>): OpenToken {
  if (token === null) return null
  try {
    return new Secret(openUnder(dataKey, token, tokenContext(pluginId)).toString())
  } catch (error) {
    if (error instanceof SealingError) return 'unreadable'
    throw error
  }
}

export function tokenContext(id: PluginId): string {
  return `plugins.token:${id}`
}
