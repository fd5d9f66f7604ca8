import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { COSTS_FILE, readCosts } from '../test-costs/costs.ts'
import { type KeptRun, lastGreen, readRuns, repeatedlyUnstable, stateFolder } from './history.ts'
import { keepResults, unstableSteps } from './keep-results.ts'
import { changesIn, headCommit } from './lanes/changes.ts'
import { dueLanes } from './lanes/due.ts'
import { readRecord } from './lanes/record.ts'
import { ADVISORIES, type Lane, LANES } from './lanes/table.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { hasFailed, openContext, runSteps, type RunContext } from './run-steps.ts'
import { keepShard, mergeShards, stepsOfShard } from './shards.ts'
import type { Step } from './step.ts'
import { CHECKS, COSTS, RESULTS, SMOKE, VERDICTS } from './steps.ts'
import { isGreen, judge, printSummary, printVerdict } from './summary.ts'
import { runTests } from './tests.ts'

const root = join(import.meta.dirname, '../../..')
const DAY_MS = 24 * 60 * 60 * 1000
/** A slower machine cannot say anything about the rest: what has not begun by then is left out. */
const LIMIT_MINUTES = 75

/** `.ci/run` without its first step, the packages of npm. */
async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const state = stateFolder(root, process.env)
  const kept = readRuns(state)
  const context = openContext(root, LIMIT_MINUTES)
  for (const file of [join(root, RESULTS), COSTS_FILE]) rmSync(file, { force: true })
  const files = options.merge === null ? await runAll(context, options, kept) : await merge(context, options.merge)
  const unstable = [...files, ...unstableSteps(context)]
  const failedAgain = repeatedlyUnstable(kept, unstable)
  const verdict = judge(context.results, root, failedAgain)
  keepResults(state, context, { unstable, costs: measuredCosts() })
  if (options.shard !== null)
    keepShard(root, state, options.shard, { commit: headCommit(root), hasPassed: isGreen(verdict) })
  printSummary(context, unstable, failedAgain)
  rmSync(context.logs, { recursive: true, force: true })
  printVerdict(context, verdict)
  return isGreen(verdict) ? 0 : 1
}

/** Each phase only when all before it have passed: red comes early. */
async function runAll(
  context: RunContext,
  { isFull, shard }: Options,
  kept: readonly KeptRun[],
): Promise<readonly string[]> {
  // Before anything runs, so that all of them compare with the same files.
  const lanes = dueSteps(isFull, kept)
  const dealt = stepsOfShard<Step>([...CHECKS, SMOKE, ...lanes], shard)
  const isOwn = (step: Step): boolean => dealt.includes(step)
  await runSteps(context, CHECKS.filter(isOwn))
  if (hasFailed(context)) return []
  const unstable = await runTests(context, shard)
  if (hasFailed(context)) return unstable
  if (shard === null) await runSteps(context, [...VERDICTS, COSTS])
  await runSteps(context, [SMOKE, ...lanes].filter(isOwn))
  return unstable
}

async function merge(context: RunContext, folder: string): Promise<readonly string[]> {
  const problems = mergeShards(root, folder, headCommit(root))
  for (const problem of problems) console.log(problem)
  const outcome = problems.length === 0 ? 'passed' : 'failed'
  context.results.push({ name: 'shards', outcome, seconds: 0, isUnstable: false })
  if (outcome === 'passed') await runSteps(context, VERDICTS)
  return []
}

function dueSteps(isFull: boolean, kept: readonly KeptRun[]): readonly Step[] {
  const due = isFull
    ? LANES.map(({ name }) => ({ name, reason: 'all lanes run' }))
    : dueLanes(
        LANES.map(({ name }) => name),
        readRecord(root),
        changesIn(root, LANES),
        Date.now(),
      )
  for (const { name, reason } of due) console.log(`lane ${name}: ${reason}`)
  const lanes = LANES.filter((lane: Lane) => due.some(({ name }) => name === lane.name))
  return isFull || areAdvisoriesDue(kept) ? [...lanes, ADVISORIES] : lanes
}

/** Once a day. */
function areAdvisoriesDue(kept: readonly KeptRun[]): boolean {
  const last = lastGreen(kept, ADVISORIES.name)
  return last === undefined || Date.now() - Date.parse(last.startedAt) > DAY_MS
}

function measuredCosts(): Record<string, number> {
  if (!existsSync(COSTS_FILE)) return {}
  return Object.fromEntries(readCosts(readFileSync(COSTS_FILE, 'utf8')).map(({ file, ms }) => [file, ms]))
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(`.ci/run: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  process.exitCode = 2
}
