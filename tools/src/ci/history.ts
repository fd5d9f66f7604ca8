import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'

const KEPT_RUNS = 20
/** A first attempt that failed in that many of the kept runs is no accident of the machine. */
const UNSTABLE_RUNS = 2

const KeptRun = Type.Object({
  startedAt: Type.String(),
  commit: Type.String(),
  /** False when the checkout had other files than the commit. */
  isClean: Type.Boolean(),
  steps: Type.Array(Type.Object({ name: Type.String(), outcome: Type.String(), seconds: Type.Number() })),
  /** Test files and steps that passed only at the second attempt. */
  unstable: Type.Array(Type.String()),
  /** CPU milliseconds of each test file. */
  costs: Type.Record(Type.String(), Type.Number()),
})

/** A run that the state keeps. */
export type KeptRun = Static<typeof KeptRun>

/** `$CI_STATE`, which outlives a checkout, or a folder of this one. */
export function stateFolder(root: string, environment: Readonly<Record<string, string | undefined>>): string {
  const folder = environment['CI_STATE'] ?? join(root, '.local/ci')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The kept runs, the oldest first. A file that cannot be read is of another release and is ignored. */
export function readRuns(state: string): readonly KeptRun[] {
  return runFiles(state).flatMap((file) => {
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(state, 'runs', file), 'utf8'))
      return Value.Check(KeptRun, parsed) ? [parsed] : []
    } catch {
      return []
    }
  })
}

/** Keeps a run and forgets the oldest. */
export function keepRun(state: string, run: KeptRun): void {
  mkdirSync(join(state, 'runs'), { recursive: true })
  const name = run.startedAt.replaceAll(/[^0-9TZ]/g, '')
  writeFileSync(join(state, 'runs', `${name}-${process.pid}.json`), `${JSON.stringify(run, null, 2)}\n`)
  for (const file of runFiles(state).slice(0, -KEPT_RUNS)) rmSync(join(state, 'runs', file), { force: true })
}

/** Of the names that were unstable in this run, those that were so in a kept one: they have failed. */
export function repeatedlyUnstable(kept: readonly KeptRun[], unstable: readonly string[]): readonly string[] {
  return unstable.filter((name) => kept.filter((run) => run.unstable.includes(name)).length + 1 >= UNSTABLE_RUNS)
}

/** The newest clean commit at which a step has passed. */
export function lastGreen(kept: readonly KeptRun[], step: string): KeptRun | undefined {
  return kept.findLast(
    ({ isClean, steps }) => isClean && steps.some(({ name, outcome }) => name === step && outcome === 'passed'),
  )
}

function runFiles(state: string): readonly string[] {
  const folder = join(state, 'runs')
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .toSorted()
    : []
}
