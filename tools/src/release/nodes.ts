import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface NodeProgram {
  readonly path: string
  /** `24.21.0` */
  readonly version: string
}

/** Every version of Node on the path, the one of `./run` first; further programs may be named. */
export function findNodes(named: readonly string[]): readonly NodeProgram[] {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const found = new Map<string, NodeProgram>()
  for (const path of [process.execPath, ...named, ...onPath]) {
    if (!existsSync(path)) continue
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1)
    if (!found.has(version)) found.set(version, { path, version })
  }
  return [...found.values()]
}
