import type { PluginDescription, PluginFieldType } from '@sealpost/protocol'

/** What the schema of a description cannot say: keys name one part each, and blocks depend on blocks. */
export function isSoundDescription({ field_types: types }: PluginDescription): boolean {
  return areDistinct(types.map(({ key }) => key)) && types.every(isSoundType)
}

/** Blocks and outputs share the names behind the slug of a field. */
function isSoundType({ blocks, inputs, outputs }: PluginFieldType): boolean {
  const keys = blocks.map(({ key }) => key)
  return (
    areDistinct([...keys, ...outputs.map(({ key }) => key)]) &&
    areDistinct(inputs.map(({ key }) => key)) &&
    blocks.every(({ key, depends_on: before = [] }) => before.every((other) => other !== key && keys.includes(other)))
  )
}

function areDistinct(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length
}
