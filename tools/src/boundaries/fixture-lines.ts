import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The lines of a fixture folder that must be refused, as `file:line by rule`. A line is marked by a comment at its end,
 * `// refused by a, b`, or by the line above: `// next line refused by a`.
 */
export function markedLines(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .toSorted()
    .flatMap((file) => marksOf(file, readFileSync(join(folder, file), 'utf8')))
}

/** Runs a command that the root package installs. Its exit code is ignored: it finds problems in fixtures. */
export function runTool(name: string, args: readonly string[], folder: string): string {
  const command = join(import.meta.dirname, '../../../node_modules/.bin', name)
  const { stdout, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })
  if (error !== undefined) throw error
  return stdout
}

function marksOf(file: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const [, next, rules] = /\/\/ (next line )?refused by (.+)$/.exec(line) ?? []
    const number = index + (next === undefined ? 1 : 2)
    return (rules?.split(', ') ?? []).map((rule) => `${file}:${number} by ${rule}`)
  })
}
