import type { Secret } from '@sealpost/kernel'

/** A plugin as its region opens it for one call. */
export type OpenedPlugin = BuiltinPlugin | PluginServer

export interface BuiltinPlugin {
  readonly builtinKey: string
  readonly isDescribed: boolean
}

export interface PluginServer {
  readonly builtinKey: null
  readonly baseUrl: string
  readonly token: Secret<string> | null
  readonly isDescribed: boolean
}

/** One plugin of one company. */
export interface PluginName {
  readonly companyId: string
  readonly pluginId: string
}
