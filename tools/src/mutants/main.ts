import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyTree } from './copy-tree.ts'
import { findMutants, type Mutant } from './find-mutants.ts'
import { readImports } from './imports.ts'
import { createProgress } from './progress.ts'
import { formatSummary, formatSurvivor, isKilled, type Verdict } from './report.ts'
import { type Runner, startRunner } from './runner.ts'
import { takeSample } from './sample.ts'
import { chooseTests, MOST_FILES, reachingTests } from './tests-of.ts'

const USAGE = `npm run mutants -- [options]
  --count 1000      how many mutants are tried
  --seed 1          which ones: the same seed and the same sources give the same sample
  --only PATH       only mutants of files under this path
  --require 85      exit 1 if fewer of them (in percent) are killed
  --minutes 60      stop then, and report what has been tried
  --runners 2       how many processes try mutants at the same time`

const root = join(import.meta.dirname, '../../..')
const results = join(root, '.local/mutants')
const everyPackage = 'pure/kernel/src/index.ts'

/** Changes rules and pure packages in one place at a time, and lists the changes that no unit test notices. */
async function main(): Promise<number> {
  const { seed, count, only, require, minutes, runners: runnerCount } = readOptions()
  const isOver = endAfter(minutes)
  const sample = takeSample(findMutants(root, only), seed, count)
  const imports = readImports(root)
  const tests = new Map(sample.map(({ file }) => [file, reachingTests(imports, file)]))
  console.log(`${sample.length} mutants of ${tests.size} files, seed ${seed}`)
  const runners = Array.from({ length: runnerCount }, (_, index) =>
    startRunner(copyTree(root, join(results, `tree-${index}`))),
  )
  try {
    const durations = await tryUnchanged(
      runners,
      [...tests.values()].flatMap((files) => files.slice(0, MOST_FILES)),
    )
    await showThatChangesArrive(runners, reachingTests(imports, everyPackage), durations)
    const verdicts = await tryAll(runners, eachOnce(sample, isOver), sample.length, (file) =>
      chooseTests(file, tests.get(file) ?? [], durations),
    )
    for (const line of formatSummary(verdicts)) console.log(line)
    const killed = verdicts.filter(({ outcome }) => isKilled(outcome)).length
    if (verdicts.length < sample.length) console.log(`only ${verdicts.length} of ${sample.length}: the time was over`)
    // A mutant that was not tried is not killed.
    return killed * 100 < require * sample.length ? 1 : 0
  } finally {
    for (const runner of runners) runner.stop()
  }
}

/** The CPU time of each test file; those that fail without a mutant show nothing and are left out. */
async function tryUnchanged(runners: readonly Runner[], files: readonly string[]): Promise<Map<string, number>> {
  const durations = new Map<string, number>()
  await shareOut(runners, [...new Set(files)], async (runner, test) => {
    const { outcome, cpuMs } = await runner.run({ file: everyPackage, text: null, tests: [test], limitMs: 300_000 })
    if (outcome === 'survived') durations.set(test, cpuMs)
    else console.log(`left out, since it does not pass without a mutant: ${test}`)
  })
  console.log(`${durations.size} test files pass without a mutant`)
  return durations
}

/** A file that every package imports by package name throws: a runner whose tests still pass tests another tree. */
async function showThatChangesArrive(
  runners: readonly Runner[],
  reaching: readonly string[],
  durations: ReadonlyMap<string, number>,
): Promise<void> {
  const test = reaching.find((file) => durations.has(file) && !file.startsWith('pure/kernel/'))
  if (test === undefined) return
  for (const runner of runners) {
    const text = "throw new Error('a mutant that every test must notice')"
    const { outcome } = await runner.run({ file: everyPackage, text, tests: [test], limitMs: 300_000 })
    if (outcome !== 'killed') throw new Error(`a change of ${everyPackage} does not reach ${test}: ${outcome}`)
  }
}

async function tryAll(
  runners: readonly Runner[],
  sample: Iterable<Mutant>,
  count: number,
  testsOf: (file: string) => { readonly tests: readonly string[]; readonly limitMs: number },
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  const progress = createProgress(count)
  mkdirSync(results, { recursive: true })
  const list = join(results, 'survivors.txt')
  writeFileSync(list, '')
  await shareOut(runners, sample, async (runner, mutant) => {
    const { tests, limitMs } = testsOf(mutant.file)
    const { outcome } =
      tests.length === 0
        ? { outcome: 'unreached' as const }
        : await runner.run({ file: mutant.file, text: mutant.text, tests, limitMs })
    const verdict = { mutant, outcome }
    verdicts.push(verdict)
    const line = formatSurvivor(verdict)
    if (line !== null) writeFileSync(list, `${line}\n`, { flag: 'a' })
    progress(outcome)
  })
  writeFileSync(list, `${readFileSync(list, 'utf8').trim().split('\n').toSorted().join('\n')}\n`)
  return verdicts
}

function endAfter(minutes: number): () => boolean {
  const end = performance.now() + minutes * 60_000
  return () => performance.now() > end
}

/** One iterator for all that take from it. */
function* eachOnce<T>(items: Iterable<T>, isOver: () => boolean = () => false): Generator<T> {
  for (const item of items) {
    if (isOver()) return
    yield item
  }
}

async function shareOut<T>(
  runners: readonly Runner[],
  items: Iterable<T>,
  work: (runner: Runner, item: T) => Promise<void>,
): Promise<void> {
  const left = eachOnce(items)
  await Promise.all(
    runners.map(async (runner) => {
      for (const item of left) await work(runner, item)
    }),
  )
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '1000' },
      only: { type: 'string', default: '' },
      require: { type: 'string', default: '0' },
      minutes: { type: 'string', default: '60' },
      runners: { type: 'string', default: '2' },
    },
  })
  const { count, require, minutes, runners, ...texts } = values
  return {
    ...texts,
    count: readNumber(count),
    require: readNumber(require),
    minutes: readNumber(minutes),
    runners: readNumber(runners),
  }
}

function readNumber(text: string): number {
  if (!/^\d{1,6}$/v.test(text)) throw new Error(`${text} is not a number`)
  return Number(text)
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`mutants: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  process.exitCode = 1
}
