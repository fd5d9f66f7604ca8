import type { Platform } from '../../platform/module.ts'
import type { Builtins } from '../builtins/index.ts'
import type { Passes } from '../passes/index.ts'
import type { PluginRegistry } from './bus.ts'

export interface CallsUses {
  readonly passes: Passes
  readonly builtins: Builtins
}

export interface CallsContext extends CallsUses, Platform {
  readonly registry: PluginRegistry
}
