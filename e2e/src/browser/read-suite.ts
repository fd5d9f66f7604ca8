import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SuiteRun } from './run-suite.ts'
import { SUITES } from './suites.ts'

export const ROOT = join(import.meta.dirname, '../../..')

/** Reads the files of a suite; only files outside of the repository may be absent. */
export function readSuite(suite: string): SuiteRun {
  const paths = (SUITES[suite] ?? []).map(({ path }) => path)
  const present = paths.filter((path) => !path.startsWith('../') || existsSync(join(ROOT, path)))
  return { suite, texts: Object.fromEntries(present.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')])) }
}
