import type { Block, Output } from './manifest.ts'
import type { PluginOption } from './reply.ts'
import type { PluginValue } from './values.ts'

/** The description that an answer is written by: the snapshot in the flow, never the present one of the plugin. */
export interface AnsweredType {
  readonly plugin_name: string
  readonly blocks: readonly Block[]
  readonly outputs: readonly Output[]
}

export interface GivenBlocks {
  readonly picks: ReadonlyMap<string, PluginOption>
  readonly values: ReadonlyMap<string, string | number>
}

/** The answer of a plugin element: one JSON text that describes itself. Blocks that are empty are left out. */
export function writeAnswer(
  { plugin_name: plugin, blocks, outputs }: AnsweredType,
  fieldType: string,
  { picks, values }: GivenBlocks,
  computed: ReadonlyMap<string, PluginValue | null>,
): string {
  return JSON.stringify({
    plugin,
    type: fieldType,
    blocks: blocks.flatMap(({ key, kind, label }) => {
      const pick = kind === 'search_select' ? picks.get(key) : undefined
      const value = kind === 'search_select' ? pick?.label : values.get(key)
      if (value === undefined) return []
      return [{ key, kind, label, ...(pick === undefined ? {} : { id: pick.id }), value }]
    }),
    outputs: outputs.map(({ key, type, label }) => ({ key, type, label, value: computed.get(key) ?? null })),
  })
}
