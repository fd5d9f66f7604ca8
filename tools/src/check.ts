import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { runTool } from './run-tool.ts'

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** The command that fixes a failure, where the output does not say it. */
  readonly advice?: string
}

interface Outcome {
  readonly hasPassed: boolean
  readonly seconds: number
  readonly output: string
}

const root = join(import.meta.dirname, '../..')

// The slowest first, so that the short ones fill the gaps.
const STEPS: readonly Step[] = [
  { name: 'unit tests', command: ['vitest', 'run', '--project', 'unit', '--project', 'components', '--reporter=dot'] },
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'generated', command: ['node', 'tools/src/generate/main.ts', '--check'], advice: './run npm run generate' },
  { name: 'format', command: ['oxfmt', '--check'], advice: './run npm run format' },
  { name: 'boundaries', command: ['node', 'tools/src/boundaries/main.ts'] },
  { name: 'prose', command: ['node', 'tools/src/prose/main.ts'] },
]

/**
 * `npm run check`: every check that needs no engine, as many steps at a time as there are cores; a line when
 * one begins, and one when it ends. `--without-tests` leaves the unit tests to a later run of all tests.
 */
async function main(): Promise<void> {
  const startedAt = performance.now()
  const isWithoutTests = process.argv.includes('--without-tests')
  const waiting = STEPS.filter(({ name }) => !(isWithoutTests && name === 'unit tests'))
  const failed: string[] = []
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      console.log(`run  ${step.name}`)
      const outcome = await runStep(step)
      print(step, outcome)
      if (!outcome.hasPassed) failed.push(step.name)
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
  const total = formatSeconds(secondsSince(startedAt))
  console.log(failed.length === 0 ? `check: passed in ${total}` : `check: failed in ${total}: ${failed.join(', ')}`)
  if (failed.length > 0) process.exitCode = 1
}

function print({ name, advice }: Step, { hasPassed, seconds, output }: Outcome): void {
  console.log(`${hasPassed ? 'ok  ' : 'FAIL'} ${name.padEnd(12)} ${formatSeconds(seconds)}`)
  if (hasPassed) return
  console.log(output.trimEnd().replaceAll(/^/gm, '     '))
  if (advice !== undefined) console.log(`     to fix it: ${advice}`)
}

async function runStep({ command: [program, ...args] }: Step): Promise<Outcome> {
  const startedAt = performance.now()
  const { status, output } = await runTool(root, program, args)
  return { hasPassed: status === 0, seconds: secondsSince(startedAt), output }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
}

function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`
}

await main()
