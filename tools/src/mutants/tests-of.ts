import type { Imports } from './imports.ts'

/** Enough to notice a change; a file at the bottom is imported by hundreds of tests. */
export const MOST_FILES = 25
const MOST_CPU_MS = 15_000
/** Of CPU time with a mutant to that without: tests start over in a new process after one that hung. */
const PATIENCE = 5
const LEAST_LIMIT_MS = 20_000
/** What they measure or start would be slow, and fails for other reasons. */
const NOT_THESE = /\.live\.test\.ts$|growth\.test\.ts$|^(?:io|client|testkit)\/|^apps\/cli\//v

/** The unit tests that import the file, also through others; the closest first. */
export function reachingTests(imports: Imports, file: string): readonly string[] {
  const importers = Map.groupBy(
    [...imports].flatMap(([importer, targets]) => targets.map((target) => ({ importer, target }))),
    ({ target }) => target,
  )
  const seen = new Set([file])
  for (const at of seen) for (const { importer } of importers.get(at) ?? []) seen.add(importer)
  const tests = [...seen].filter((path) => path.endsWith('.test.ts') && !NOT_THESE.test(path))
  const home = packageOf(file)
  return [...tests.filter((test) => packageOf(test) === home), ...tests.filter((test) => packageOf(test) !== home)]
}

/**
 * As many of them as take a few seconds together, in that order, and those of the same pure package in any case: most of
 * what each takes alone is the import of that package. And how much CPU time they may take with a mutant.
 */
export function chooseTests(
  file: string,
  reaching: readonly string[],
  durations: ReadonlyMap<string, number>,
): { readonly tests: readonly string[]; readonly limitMs: number } {
  const tests: string[] = []
  let total = 0
  for (const test of reaching) {
    const cpuMs = durations.get(test)
    if (cpuMs === undefined || tests.length === MOST_FILES) continue
    const isOwn = file.startsWith('pure/') && packageOf(test) === packageOf(file)
    if (!isOwn && tests.length > 0 && total + cpuMs > MOST_CPU_MS) continue
    tests.push(test)
    total += cpuMs
  }
  return { tests, limitMs: Math.max(LEAST_LIMIT_MS, Math.round(total * PATIENCE)) }
}

function packageOf(file: string): string {
  return file.split('/', 2).join('/')
}
