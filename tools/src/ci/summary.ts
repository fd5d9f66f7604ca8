import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTests, parseResults } from '../conformance/results.ts'
import { lastLines } from './run-command.ts'
import { logOf, type RunContext } from './run-steps.ts'
import type { StepResult } from './step.ts'
import { RESULTS } from './steps.ts'

export interface Verdict {
  readonly passed: number
  readonly failed: number
  /** Steps that should have run. */
  readonly leftOut: readonly string[]
}

const FAILURE_LINES = 60
const TESTS = /^(?:unit|live) tests$/

/** Each test counts as one, and so does every other step; a step that this machine cannot run does not count. */
export function judge(results: readonly StepResult[], root: string, failedAgain: readonly string[]): Verdict {
  const file = join(root, RESULTS)
  const tests = existsSync(file) ? countTests(parseResults(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0 }
  const others = results.filter(({ name, outcome }) => !(TESTS.test(name) && outcome === 'passed'))
  const failed = others.filter(({ outcome }) => outcome === 'failed').length
  return {
    passed: tests.passed + others.filter(({ outcome }) => outcome === 'passed').length,
    failed: tests.failed + failed + failedAgain.length,
    leftOut: results.filter(({ outcome }) => outcome === 'left out').map(({ name }) => name),
  }
}

export function isGreen({ failed, leftOut }: Verdict): boolean {
  return failed === 0 && leftOut.length === 0
}

/** The end of what failed steps have printed, and a line for each step that is not simply green. */
export function printSummary(context: RunContext, unstable: readonly string[], failedAgain: readonly string[]): void {
  for (const { name, outcome } of context.results)
    if (outcome === 'failed') {
      console.log(`\n== ${name} failed; the end of its output`)
      console.log(existsSync(logOf(context, { name })) ? lastLines(logOf(context, { name }), FAILURE_LINES) : '(none)')
    }
  console.log()
  for (const { name, outcome, reason = '' } of context.results)
    if (outcome === 'not run' || outcome === 'left out') console.log(`${outcome}: ${name}: ${reason}`)
  for (const name of unstable) console.log(`unstable: ${name} passed only at its second attempt`)
  for (const name of failedAgain) console.log(`failed: ${name} failed at its first attempt in two of the kept runs`)
}

export function printVerdict({ startedAtMs }: RunContext, { passed, failed, leftOut }: Verdict): void {
  console.log(`total: ${Math.round((Date.now() - startedAtMs) / 1000)} s`)
  if (leftOut.length > 0) console.log(`incomplete: ${leftOut.join(', ')} left out`)
  console.log(`${passed} passed, ${failed} failed`)
}
