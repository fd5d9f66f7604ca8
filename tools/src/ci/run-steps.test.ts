import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContext, type RunContext, runSteps } from './run-steps.ts'
import type { Step } from './step.ts'
import { RESULTS } from './steps.ts'
import { isGreen, judge } from './summary.ts'

let root: string
let context: RunContext

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sealpost-steps-'))
  context = { ...openContext(root), print: () => {} }
})
afterEach(() => {
  for (const folder of [root, context.logs]) rmSync(folder, { recursive: true, force: true })
})

/** A step that runs a script. */
function step(name: string, script: string, changed: Partial<Step> = {}): Step {
  const file = join(root, `${name}.sh`)
  writeFileSync(file, script)
  return { name, command: `sh ${file}`, seconds: 1, ...changed }
}

const outcomes = () => context.results.map(({ name, outcome }) => `${name} ${outcome}`)
const verdict = () => judge(context.results, root, [])

test('steps pass and fail by their exit codes', async () => {
  await runSteps(context, [step('a', 'exit 0'), step('b', 'exit 3')])
  expect(outcomes()).toEqual(['a passed', 'b failed'])
  expect(verdict()).toEqual({ passed: 1, failed: 1, leftOut: [] })
  expect(isGreen(verdict())).toBe(false)
})

test('a step that may be repeated and passes then is unstable', async () => {
  const script = 'if [ -f once ]; then exit 0; fi; touch once; exit 1'
  await runSteps(context, [step('a', script, { isRepeated: true })])
  expect(context.results).toMatchObject([{ outcome: 'passed', isUnstable: true }])
})

test('a step that exceeds its limit is ended and has failed', async () => {
  await runSteps(context, [step('a', 'sleep 600', { limitSeconds: 0.05 })])
  expect(outcomes()).toEqual(['a failed'])
})

test('what this machine cannot run says why and is not counted', async () => {
  await runSteps(context, [step('a', 'echo "not run: there is no podman"; exit 77'), step('b', 'exit 0')])
  expect(context.results[0]).toMatchObject({ outcome: 'not run', reason: 'there is no podman' })
  expect(verdict()).toEqual({ passed: 1, failed: 0, leftOut: [] })
  expect(isGreen(verdict())).toBe(true)
})

test('a run in which a step was left out for time is incomplete and not green', async () => {
  const late = { ...context, deadlineMs: Date.now() - 1 }
  await runSteps(late, [step('a', 'exit 0')])
  expect(outcomes()).toEqual(['a left out'])
  expect(isGreen(verdict())).toBe(false)
})

test('a step that measures waiting runs when the others have ended', async () => {
  const others = ['a', 'b', 'c'].map((name) => step(name, `echo ${name} >> ended`))
  await runSteps(context, [step('alone', '[ "$(wc -l < ended)" -eq 3 ]', { isAlone: true }), ...others])
  expect(outcomes()).toContain('alone passed')
})

test('the tests count one by one, and a file that was unstable twice is a failure', () => {
  const assertionResults = ['x', 'y'].map((fullName) => ({ fullName, status: 'passed' }))
  mkdirSync(join(root, '.vitest'))
  writeFileSync(
    join(root, RESULTS),
    JSON.stringify({ testResults: [{ name: 'a', status: 'passed', assertionResults }] }),
  )
  const passed = [{ name: 'live tests', outcome: 'passed', seconds: 1, isUnstable: false } as const]
  expect(judge(passed, root, [])).toEqual({ passed: 2, failed: 0, leftOut: [] })
  expect(isGreen(judge(passed, root, ['a']))).toBe(false)
})
