import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface TextFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface Problem {
  readonly path: string
  readonly line: number
  readonly advice: string
}

const SKIPPED = ['node_modules', '.git', '.local', '.vitest', '.tsbuild', 'dist', 'package-lock.json', 'LICENSE']
const EXTENSIONS = ['', '.ts', '.tsx', '.js', '.css', '.html', '.md', '.sql', '.json', '.tsv', '.yaml', '.yml', '.txt']

/** Every text file of the tree, tracked by git or not yet. */
export function readTextFiles(root: string, folder = ''): readonly TextFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.includes(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return readTextFiles(root, path)
      if (!entry.isFile() || !EXTENSIONS.includes(extname(entry.name))) return []
      return [{ path, text: readFileSync(join(root, path), 'utf8') }]
    })
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
