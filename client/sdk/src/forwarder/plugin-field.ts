import type { CallOptions } from '../options.ts'
import type { PluginError } from './plugin-error.ts'
import type { PluginSnapshot } from './plugin-pass.ts'
import type { PluginKeyChange } from './plugin-trust.ts'

export interface PluginOption {
  readonly id: string
  readonly label: string
}

/** `more`: the list was cut; a longer query finds the others. */
export interface PluginOptions {
  readonly options: readonly PluginOption[]
  readonly more: boolean
}

export type PluginAnswer =
  /** `text` is the answer to submit. */
  | {
      readonly kind: 'answered'
      readonly text: string
      readonly outputs: Readonly<Record<string, string | number | boolean | null>>
    }
  /** The picks did not fit the inputs or each other any more. They are cleared: let the person pick again. */
  | { readonly kind: 'picks_invalid' }

/** A plugin field that is being filled: its blocks, the options of the plugin, and the answer. */
export interface PluginField {
  readonly slug: string
  /** The description of the plugin that the flow has pinned. */
  readonly snapshot: PluginSnapshot
  /** What is picked and typed, by block. */
  readonly blocks: Readonly<Record<string, PluginOption | string | number>>
  /** Why the field cannot be used now; null when it can. Show `not_responding` in the place of the field. */
  readonly problem: PluginError | null
  /** Set with the problem `key_changed`: the fingerprints of the known key and of the one that the plugin is said to have. */
  readonly newKey: PluginKeyChange | null
  /** The person has compared the fingerprint of the new key with what the company says: questions are sealed to it now. */
  confirmKey(fingerprint: string): Promise<void>
  /** The answer as it is, without a call; null while it is unfinished or something has changed since. */
  readonly text: string | null
  /** The options of a block that match a query; an empty query lists all. Blocks that it depends on are filled before. */
  options(block: string, query?: string, options?: CallOptions): Promise<PluginOptions>
  /** Picks an option. Blocks that depend on this one are cleared, because their options may be others now. */
  pick(block: string, option: PluginOption): void
  /** Fills a typed block; dates are `YYYY-MM-DD`. */
  fill(block: string, value: string | number): void
  /** Empties a block and those that depend on it. */
  clear(block: string): void
  /** The finished answer. Asks the plugin for the outputs, unless nothing has changed since it was asked. */
  answer(options?: CallOptions): Promise<PluginAnswer>
}
