import type { CallOptions } from '../options.ts'
import type { CreateRunPassAnswer } from '../shapes.generated.ts'
import type { OfferedKey } from './plugin-trust.ts'

/** The right to call the plugins of one step for ten minutes, and what the step needs of each. */
export interface PluginPass {
  readonly pass: string
  readonly forwarder_url: string
  /** `public_key` is null for a plugin whose description could not be fetched: it does not respond. */
  readonly plugins: readonly OfferedKey[]
  /** By the slug of the element. */
  readonly specs: Readonly<Record<string, PluginSpec>>
}

export interface PluginSpec {
  readonly plugin_id: string
  readonly field_type: string
  readonly snapshot: PluginSnapshot
  /** Plugin input key to flow key. */
  readonly inputs: Readonly<Record<string, string>>
}

/** The description of the plugin when the flow was published. */
export interface PluginSnapshot {
  readonly plugin_name: string
  readonly host: string
  readonly label: string
  readonly blocks: readonly PluginBlock[]
  readonly inputs: readonly PluginInput[]
  readonly outputs: readonly PluginOutput[]
}

export interface PluginBlock {
  readonly key: string
  readonly kind: 'search_select' | 'text' | 'number' | 'date'
  readonly label: string
  /** Blocks that have to be filled before this one. */
  readonly depends_on?: readonly string[]
}

export interface PluginInput {
  readonly key: string
  readonly type: 'number' | 'date' | 'boolean' | 'text'
  readonly label: string
  readonly required: boolean
}

export interface PluginOutput {
  readonly key: string
  readonly type: 'number' | 'date' | 'boolean' | 'text'
  readonly label: string
}

/** Gets a pass: at the start, and once more when the forwarder refuses it. */
export type ReadPass = (options: CallOptions) => Promise<PluginPass>

/** A field whose description was never pinned cannot be shown: it counts as one that does not exist. */
export function passOf({ specs, ...pass }: CreateRunPassAnswer): PluginPass {
  const usable = Object.entries(specs).flatMap(([slug, { snapshot, ...spec }]) =>
    snapshot === undefined ? [] : [[slug, { ...spec, snapshot }] as const],
  )
  return { ...pass, specs: Object.fromEntries(usable) }
}
