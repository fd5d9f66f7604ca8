import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { membersOf } from '../../sharing/members.ts'

/** A file of the demo that its owner alone reads. */
export function writeOwn(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), `${text.trimEnd()}\n`, { mode: 0o600 })
}

/** The members of a JSON file of an earlier run; none when there is no such file. */
export function readOwn(folder: string, name: string): Record<string, unknown> {
  const path = join(folder, name)
  return existsSync(path) ? membersOf(JSON.parse(readFileSync(path, 'utf8'))) : {}
}
