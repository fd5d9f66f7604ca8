import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LAYERS, type Layer } from '../../lint/layers.ts'
import { packageFolders } from '../../lint/place.ts'

/** What the checks know of the repository: read once, so that each check is a function of data. */
export interface Workspace {
  readonly root: string
  readonly manifests: readonly Manifest[]
}

export interface Manifest {
  /** Relative to the root: `pure/kernel`; empty for the root package itself. */
  readonly folder: string
  readonly layer: Layer | null
  readonly name: string
  /** Every declared dependency with its range, of whatever kind. */
  readonly dependencies: ReadonlyMap<string, string>
  /** Those that only its tests use. */
  readonly forTests: ReadonlySet<string>
}

/** Answers the problems found, each a sentence that says what to do. */
export type Check = (workspace: Workspace) => readonly string[]

export const OWN_SCOPE = '@sealpost/'

export function readWorkspace(root: string): Workspace {
  const below = LAYERS.flatMap((layer) =>
    packageFolders(root, layer).map((folder) => readManifest(root, relative(root, folder), layer)),
  )
  return { root, manifests: [readManifest(root, '', null), ...below] }
}

/** The object in a JSON file; comments are allowed, as in tsconfig files. */
export function readJson(file: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/gm, ''))
  return asRecord(parsed)
}

export function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
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
