import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LAYERS, type Layer } from '../../lint/layers.ts'
import { packageFolders } from '../../lint/place.ts'

/** The input of all checks, read once. */
export interface Workspace {
  readonly root: string
  readonly manifests: readonly Manifest[]
}

export interface Manifest {
  /** Relative to the root: `pure/kernel`; empty for the root package itself. */
  readonly folder: string
  readonly layer: Layer | null
  readonly name: string
  /** Every declared dependency of any kind, with its range. */
  readonly dependencies: ReadonlyMap<string, string>
  /** Dependencies for tests only. */
  readonly forTests: ReadonlySet<string>
}

/** Returns the problems, each a sentence with what to do. */
export type Check = (workspace: Workspace) => readonly string[]

export const OWN_SCOPE = '@sealpost/'

export function readWorkspace(root: string): Workspace {
  const below = LAYERS.flatMap((layer) =>
    packageFolders(root, layer).map((folder) => readManifest(root, relative(root, folder), layer)),
  )
  return { root, manifests: [readManifest(root, '', null), ...below] }
}

/** Reads a JSON file; comments are allowed, as in tsconfig files. */
export function readJson(file: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/gm, ''))
  return asRecord(parsed)
}

export function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** The names in code quotes in the first cell of each table row. */
export function firstCellNames(page: string): readonly string[] {
  const cells = page.split('\n').map((line) => /^\|([^|]+)\|/.exec(line)?.[1] ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function readManifest(root: string, folder: string, layer: Layer | null): Manifest {
  const json = readJson(join(root, folder, 'package.json'))
  const tables = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  const dependencies = tables.flatMap((table) => Object.entries(asRecord(json[table])))
  return {
    folder,
    layer,
    name: String(json['name']),
    dependencies: new Map(dependencies.map(([name, range]) => [name, String(range)])),
    forTests: new Set(Object.keys(asRecord(json['devDependencies']))),
  }
}
