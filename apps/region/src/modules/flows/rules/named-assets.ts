import type { Definition } from '@sealpost/flow'

/** The keys of the files that a definition names: templates of rules, and pictures. */
export function namedAssets({ nodes }: Definition): ReadonlySet<string> {
  const pictures = nodes.flatMap(({ elements }) =>
    elements.flatMap((element) => (element.kind === 'image' ? [element.asset_key] : [])),
  )
  const templates = nodes.flatMap(({ outputs = [] }) =>
    outputs.flatMap(({ rules }) => rules.flatMap(({ asset_key: key }) => (key === undefined ? [] : [key]))),
  )
  return new Set([...pictures, ...templates])
}
