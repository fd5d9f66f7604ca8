import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What `npm run new` is about to write. */
export interface Plan {
  /** New files, by their path below the repository. */
  readonly files: ReadonlyMap<string, string>
  readonly lines: readonly Line[]
  /** What only a person can do. */
  readonly next: readonly string[]
}

/** A line for a file that exists, at a place that the file shows by itself. */
export interface Line {
  readonly path: string
  readonly text: string
  /** The text goes in front of what this matches first, or behind it. */
  readonly before?: RegExp
  readonly after?: RegExp
}

export interface Written {
  readonly paths: readonly string[]
  /** The lines whose place was not found: they are left to the reader. */
  readonly left: readonly string[]
}

/** Refuses to touch anything when a file is there already. */
export function writePlan(root: string, { files, lines }: Plan): Written {
  const taken = [...files.keys()].filter((path) => existsSync(join(root, path)))
  if (taken.length > 0)
    throw new Error(`${taken.join(', ')} exists already: choose another name, or edit what is there`)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const left = lines.filter((line) => !addLine(root, line)).map(({ path, text }) => `add to ${path}: ${text.trim()}`)
  return { paths: [...new Set([...files.keys(), ...lines.map(({ path }) => path)])], left }
}

function addLine(root: string, { path, text, before, after }: Line): boolean {
  const file = join(root, path)
  const old = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const match = (before ?? after)?.exec(old)
  if (match === null || match === undefined) return false
  const at = before === undefined ? match.index + match[0].length : match.index
  writeFileSync(file, old.slice(0, at) + text + old.slice(at))
  return true
}
