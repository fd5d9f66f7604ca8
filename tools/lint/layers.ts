/**
 * `ls` at the root is the layer diagram, and arrows only point down. This table is read by the lint rule (every import)
 * and by `npm run boundaries` (every package.json).
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

/** Layers that hold one package per folder; the others are a single package each. */
export const FOLDERED: readonly Layer[] = ['pure', 'io', 'client', 'apps']

/** The one package that tests of every layer may use, though it stands above them. */
export const TESTKIT = '@sealpost/testkit'

export const LAYERS: readonly Layer[] = ['pure', 'io', 'client', 'apps', 'testkit', 'e2e', 'bench', 'chaos', 'tools']

export function parseLayer(folder: string): Layer | null {
  return LAYERS.find((layer) => layer === folder) ?? null
}

/** Code that is shipped; the rest drives, measures or tests it. */
export function isProduct(layer: Layer): boolean {
  return FOLDERED.includes(layer)
}

export function mayImport(from: Layer, to: Layer): boolean {
  const allowed: readonly Layer[] = MAY_IMPORT[from]
  return allowed.includes(to)
}
