import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readWorkspace, type Manifest } from '../../boundaries/workspace.ts'

const IMPORT = /(?:from|import)\s*\(?\s*'(?<target>\.[^']*|@sealpost\/[^'\/]*)/gv
/** What is installed, and the Node that runs it. */
const ALWAYS = ['package-lock.json', 'tools/node', 'tools/src/infra', 'tools/src/bundled-children']
const NO_TESTS = [':(exclude,glob)**/*.test.ts', ':(exclude,glob)**/*.md']

/**
 * What a lane depends on, as pathspecs of git: the files that its entries import within their own package with the folders
 * they are in, since a program that is started as a process is imported by none; the whole of every package that those
 * name, with its dependencies; without tests and pages.
 */
export function closureOf(root: string, entries: readonly string[]): readonly string[] {
  const { manifests } = readWorkspace(root)
  const { files, packages } = followImports(root, entries)
  const folders = [...files].map((file) => `:(glob)${dirname(file)}/*`)
  return [...new Set([...ALWAYS, ...folders, ...packageFolders(manifests, packages)]), ...NO_TESTS]
}

function followImports(root: string, entries: readonly string[]) {
  const files = new Set(entries)
  const packages = new Set<string>()
  for (const file of files)
    for (const { groups } of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const target = groups?.['target'] ?? ''
      if (target.startsWith('.')) files.add(join(dirname(file), target))
      else packages.add(target)
    }
  return { files, packages }
}

/** Dependencies for tests only do not count. */
function packageFolders(manifests: readonly Manifest[], names: ReadonlySet<string>): readonly string[] {
  const seen = new Set(names)
  const folders: string[] = []
  for (const name of seen) {
    const manifest = manifests.find((each) => each.name === name)
    if (manifest === undefined) continue
    folders.push(manifest.folder)
    for (const next of manifest.dependencies.keys()) if (!manifest.forTests.has(next)) seen.add(next)
  }
  return folders
}
