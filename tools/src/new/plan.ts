import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The changes of one `npm run new`. */
export interface Plan {
  /** New files: path in the repository → text. */
  readonly files: ReadonlyMap<string, string>
  readonly lines: readonly Line[]
  /** The steps that remain for the developer. */
  readonly next: readonly string[]
}

/** A line for an existing file, at a place found by a pattern. */
export interface Line {
  readonly path: string
  readonly text: string
  /** The text is inserted before the first match, or after it. */
  readonly before?: RegExp
  readonly after?: RegExp
}

/** Writes the files of a plan and returns their paths; writes nothing if a file exists or a line has no place. */
export function writePlan(root: string, plan: Plan): readonly string[] {
  const texts = applyPlan(root, plan)
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return [...texts.keys()]
}

/** The texts of all new and changed files. */
export function applyPlan(root: string, { files, lines }: Plan): ReadonlyMap<string, string> {
  const existing = [...files.keys()].filter((path) => existsSync(join(root, path)))
  if (existing.length > 0)
    throw new Error(`${existing.join(', ')} exists already: choose another name, or edit that file`)
  const texts = new Map(files)
  for (const line of lines)
    texts.set(line.path, addLine(texts.get(line.path) ?? readFileSync(join(root, line.path), 'utf8'), line))
  return texts
}

function addLine(old: string, { path, text, before, after }: Line): string {
  const match = (before ?? after)?.exec(old)
  if (match === null || match === undefined)
    throw new Error(`no place in ${path} for "${text.trim()}": its pattern in tools/src/new is out of date`)
  const at = before === undefined ? match.index + match[0].length : match.index
  return old.slice(0, at) + text + old.slice(at)
}
