import type { UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { Platform } from '../../platform/module.ts'

export type PluginsContext = Pick<Platform, 'database' | 'bus' | 'clock' | 'ids' | 'settings'> & {
  readonly hooks: PluginsHooks
}

/** A call to the flows, whose runs go on with the version that they pinned. */
export interface PluginsHooks {
  /** The flows whose runs need the plugin, without those that are `known` to use it. */
  flowsOfRunsThatNeed(
    read: Read,
    plugin: { readonly companyId: UserId; readonly pluginId: string },
    known: ReadonlySet<string>,
  ): Promise<readonly { readonly id: string; readonly name: string }[]>
}
