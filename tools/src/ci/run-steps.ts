import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandResult, lastLine, runCommand } from './run-command.ts'
import { CANNOT_RUN, type Step, type StepResult } from './step.ts'

export interface RunContext {
  readonly root: string
  /** A folder for what the steps print. */
  readonly logs: string
  /** What has ended so far, in order. */
  readonly results: StepResult[]
  readonly startedAtMs: number
  readonly print: (line: string) => void
  /** No step begins after that; it is left out, and the run is incomplete. */
  readonly deadlineMs: number
}

export function openContext(root: string, limitMinutes = Number.POSITIVE_INFINITY): RunContext {
  const logs = mkdtempSync(join(tmpdir(), 'sealpost-ci-'))
  const startedAtMs = Date.now()
  const deadlineMs = startedAtMs + limitMinutes * 60_000
  return { root, logs, results: [], startedAtMs, deadlineMs, print: (line) => console.log(line) }
}

const AT_A_TIME = 2
const STEP_LIMIT_SECONDS = 900

/** Runs two steps at a time, those that measure waiting alone and last, then the failed ones that may fail by chance. */
export async function runSteps(context: RunContext, steps: readonly Step[]): Promise<void> {
  const waiting = steps.filter(({ isAlone }) => isAlone !== true)
  const first = new Map<Step, CommandResult | null>()
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
      first.set(step, await attempt(context, step, steps.length === 1))
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  for (const step of steps.filter(({ isAlone }) => isAlone === true))
    first.set(step, await attempt(context, step, false))
  for (const step of steps) context.results.push(await conclude(context, step, first.get(step) ?? null))
}

export function logOf({ logs }: RunContext, { name }: Pick<Step, 'name'>): string {
  return join(logs, name.replaceAll(' ', '-'))
}

export function hasFailed({ results }: RunContext): boolean {
  return results.some(({ outcome }) => outcome === 'failed')
}

/** Null: too late. */
async function attempt(context: RunContext, step: Step, isShown: boolean): Promise<CommandResult | null> {
  const { name, command, limitSeconds = STEP_LIMIT_SECONDS } = step
  if (Date.now() > context.deadlineMs) return null
  context.print(`== ${name}: ${command}`)
  const result = await runCommand(command, { root: context.root, log: logOf(context, step), limitSeconds, isShown })
  context.print(`-- ${name}: ${describe(result)} in ${result.seconds} s; ${lastLine(logOf(context, step))}`)
  return result
}

async function conclude(context: RunContext, step: Step, first: CommandResult | null): Promise<StepResult> {
  const { name } = step
  if (first === null)
    return { name, outcome: 'left out', seconds: 0, isUnstable: false, reason: 'the time of the run was used up' }
  const { seconds } = first
  if (first.code === 0) return { name, outcome: 'passed', seconds, isUnstable: false }
  if (first.code === CANNOT_RUN) {
    const reason = lastLine(logOf(context, step)).replace(/^not run: /, '')
    return { name, outcome: 'not run', seconds, isUnstable: false, reason }
  }
  const second = step.isRepeated === true ? await attempt(context, step, false) : null
  const hasPassed = second?.code === 0
  return {
    name,
    outcome: hasPassed ? 'passed' : 'failed',
    seconds: seconds + (second?.seconds ?? 0),
    isUnstable: hasPassed,
  }
}

function describe({ code, hasTimedOut }: CommandResult): string {
  if (code === 0) return 'passed'
  if (code === CANNOT_RUN) return 'not run'
  return hasTimedOut ? 'stopped at its time limit' : `failed (exit code ${code})`
}
