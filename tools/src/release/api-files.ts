import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiText } from './api-text.ts'
import type { PackedPackage } from './packages.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Where the public API of a package is committed, below the root: a change of it shows in the diff of a commit. */
export function apiFile({ name }: Pick<PackedPackage, 'name'>): string {
  return `docs/packages/${name.replace('@sealpost/', '')}.txt`
}

export function writeApi(packed: PackedPackage): void {
  const file = join(ROOT, apiFile(packed))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, apiText(packed))
}

/** The first difference between the API and the committed text; none when they are the same. */
export function apiProblems(packed: PackedPackage): readonly string[] {
  const file = apiFile(packed)
  const path = join(ROOT, file)
  const committed = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const present = apiText(packed).split('\n')
  const at = present.findIndex((line, place) => line !== committed[place])
  if (at === -1 && present.length === committed.length) return []
  const line = at === -1 ? present.length : at
  return [
    `the public API of ${packed.name} differs from ${file}, line ${line + 1}:`,
    `  committed: ${committed[line] ?? '(nothing)'}`,
    `  now:       ${present[line] ?? '(nothing)'}`,
    'if this is meant: ./run npm run release -- --api, and a line in CHANGELOG.md',
  ]
}
