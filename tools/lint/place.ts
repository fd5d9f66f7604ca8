import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { FOLDERED, LAYERS, type Layer, parseLayer } from './layers.ts'

/** The position of a file in the repository, as the rules need it. */
export interface Place {
  readonly file: string
  /** Null for files of the root package, which are configuration. */
  readonly layer: Layer | null
  readonly package: Package
  /** Relative to its package, with forward slashes: `src/modules/feed/index.ts`. */
  readonly path: string
  /** A test, or a fixture of tests in a `testing/` folder. */
  readonly isTest: boolean
  readonly repository: Repository
}

export interface Package {
  readonly folder: string
  readonly name: string
  readonly declared: ReadonlySet<string>
}

export interface Repository {
  readonly root: string
  readonly packages: ReadonlyMap<string, { readonly layer: Layer; readonly folder: string }>
  /** Tools that the root package installs for tests and configuration. */
  readonly rootTools: ReadonlySet<string>
}

const places = new Map<string, Place>()
const packages = new Map<string, Package>()
const repositories = new Map<string, Repository>()

export function placeOf(file: string): Place {
  const known = places.get(file)
  if (known !== undefined) return known
  const repository = repositoryOf(dirname(file))
  const owner = packageOf(dirname(file))
  const path = relative(owner.folder, file).split(sep).join('/')
  const place: Place = {
    file,
    layer: parseLayer(relative(repository.root, file).split(sep)[0] ?? ''),
    package: owner,
    path,
    isTest: /\.test\.tsx?$|(^|\/)testing\//.test(path),
    repository,
  }
  places.set(file, place)
  return place
}

/** The package of a folder: the nearest package.json at or above it. */
export function packageOf(folder: string): Package {
  const known = packages.get(folder)
  if (known !== undefined) return known
  const found = existsSync(join(folder, 'package.json')) ? readPackage(folder) : packageOf(parentOf(folder))
  packages.set(folder, found)
  return found
}

function repositoryOf(folder: string): Repository {
  const known = repositories.get(folder)
  if (known !== undefined) return known
  const manifest = join(folder, 'package.json')
  const isRoot = existsSync(manifest) && 'workspaces' in readManifest(manifest)
  const found = isRoot ? readRepository(folder) : repositoryOf(parentOf(folder))
  repositories.set(folder, found)
  return found
}

function readRepository(root: string): Repository {
  const found = new Map<string, { layer: Layer; folder: string }>()
  for (const layer of LAYERS) {
    for (const folder of packageFolders(root, layer)) found.set(readPackage(folder).name, { layer, folder })
  }
  return { root, packages: found, rootTools: readPackage(root).declared }
}

export function packageFolders(root: string, layer: Layer): readonly string[] {
  const top = join(root, layer)
  if (!existsSync(top)) return []
  const folders = FOLDERED.includes(layer) ? readdirSync(top).map((name) => join(top, name)) : [top]
  return folders.filter((folder) => existsSync(join(folder, 'package.json')))
}

function readPackage(folder: string): Package {
  const manifest = readManifest(join(folder, 'package.json'))
  const declared = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
    .map((kind) => manifest[kind])
    .flatMap((table) => (typeof table === 'object' && table !== null ? Object.keys(table) : []))
  const name = typeof manifest['name'] === 'string' ? manifest['name'] : basename(folder)
  return { folder, name, declared: new Set(declared) }
}

function readManifest(file: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof parsed !== 'object' || parsed === null) throw new Error(`${file} does not contain an object`)
  return { ...parsed }
}

function parentOf(folder: string): string {
  const parent = dirname(folder)
  if (parent === folder) throw new Error('no package.json with "workspaces" above the linted file')
  return parent
}
