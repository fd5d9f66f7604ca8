import { builtinPlugins, type PluginDescription, type RefreshError } from '@sealpost/protocol'

interface Described {
  readonly baseUrl: string | null
  readonly builtinKey: string | null
  readonly description: PluginDescription | null
}

/** The name that people read: its own, or the host until it has told its name. */
export function nameOf(plugin: Described): string {
  const builtin = builtinPlugins.find(({ key }) => key === plugin.builtinKey)
  return plugin.description?.name ?? builtin?.name ?? hostOf(plugin)
}

/** The server that gets the values. A built-in plugin is answered by the platform itself. */
export function hostOf({ baseUrl }: Described): string {
  return baseUrl === null ? 'built-in' : new URL(baseUrl).host
}

export const REFRESH_SENTENCES = {
  address_refused: 'The address of the plugin may not be called: use a public one.',
  unreachable: 'No connection to the plugin could be made: check its address, its server and its certificate.',
  timeout: 'The plugin did not answer in time: check that its server responds within seconds.',
  redirect: 'The plugin answered with a redirect: add it with the address to which it redirects.',
  status: 'The plugin did not answer its manifest with status 200: check its address and its token.',
  too_large: 'The manifest of the plugin is too large: it may have 256 KiB.',
  malformed: 'The manifest of the plugin does not have the expected form: its author has to correct it.',
  key_invalid: 'The public key in the manifest is not an RSA key that can be used: its author has to correct it.',
} satisfies Record<RefreshError, string>
