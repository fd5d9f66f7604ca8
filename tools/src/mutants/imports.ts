import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import Value from 'typebox/value'

const FOLDERS = ['pure', 'io', 'client', 'apps', 'testkit']
const IMPORT = /(?:from|import) '(?<target>\.[^']*|@sealpost\/[^']*)'/gv
const Manifest = Type.Object({
  name: Type.String(),
  exports: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/** File to files that it imports, both relative to the root. */
export type Imports = ReadonlyMap<string, readonly string[]>

export function readImports(root: string): Imports {
  const packages = readPackages(root)
  const files = globSync(`{${FOLDERS.join(',')}}/**/*.ts`, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'), packages)]))
}

function importsOf(file: string, text: string, packages: ReadonlyMap<string, string>): readonly string[] {
  return [...text.matchAll(IMPORT)].flatMap(({ groups }) => {
    const target = groups?.['target'] ?? ''
    return target.startsWith('.') ? [join(file, '..', target)] : [fileOf(target, packages) ?? []].flat()
  })
}

/** `./vectors/*` stands for every name at its place. */
function fileOf(target: string, packages: ReadonlyMap<string, string>): string | undefined {
  const place = target.lastIndexOf('/') + 1
  return packages.get(target) ?? packages.get(`${target.slice(0, place)}*`)?.replace('*', target.slice(place))
}

/** What can be imported by a package's name, and the file that it is. */
function readPackages(root: string): Map<string, string> {
  const manifests = globSync(`{${FOLDERS.join(',')}}/{.,*}/package.json`, { cwd: root })
  const entries = manifests.flatMap((path) => {
    const { name, exports = {} } = Value.Parse(Manifest, JSON.parse(readFileSync(join(root, path), 'utf8')))
    return Object.entries(exports).flatMap(([key, file]): [string, string][] =>
      typeof file === 'string' ? [[join(name, key), join(path, '..', file)]] : [],
    )
  })
  return new Map(entries)
}
