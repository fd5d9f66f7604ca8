/**
 * The layers, which are the folders of the root. The lint rule reads this table for every import, `npm run boundaries`
 * for every package.json.
 */
export const MAY_IMPORT = {
  pure: ['pure'],
  io: ['io', 'pure'],
  client: ['client', 'pure'],
  apps: ['client', 'io', 'pure'],
  testkit: ['apps', 'client', 'io', 'pure'],
  e2e: ['testkit', 'apps', 'client', 'io', 'pure'],
  bench: ['testkit', 'apps', 'client', 'io', 'pure'],
  chaos: ['testkit', 'apps', 'client', 'io', 'pure'],
  tools: ['testkit', 'apps', 'client', 'io', 'pure'],
} as const satisfies Record<string, readonly string[]>

export type Layer = keyof typeof MAY_IMPORT

/** Layers with one package per folder; each of the others is a single package. */
export const FOLDERED: readonly Layer[] = ['pure', 'io', 'client', 'apps']

/** Tests of every layer may use this package, although it is above them. */
export const TESTKIT = '@sealpost/testkit'

export const LAYERS: readonly Layer[] = ['pure', 'io', 'client', 'apps', 'testkit', 'e2e', 'bench', 'chaos', 'tools']

export function parseLayer(folder: string): Layer | null {
  return LAYERS.find((layer) => layer === folder) ?? null
}

/** Shipped code; the other layers run, measure or test it. */
export function isProduct(layer: Layer): boolean {
  return FOLDERED.includes(layer)
}

export function mayImport(from: Layer, to: Layer): boolean {
  const allowed: readonly Layer[] = MAY_IMPORT[from]
  return allowed.includes(to)
}
