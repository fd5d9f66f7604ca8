import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** What a reader does about a failure, where the output alone does not say it. */
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
  { name: 'unit tests', command: ['vitest', 'run', '--project', 'unit', '--reporter=dot'] },
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'generated', command: ['node', 'tools/src/generate/main.ts', '--check'], advice: './run npm run generate' },
  { name: 'format', command: ['oxfmt', '--check'], advice: './run npm run format' },
  { name: 'boundaries', command: ['node', 'tools/src/boundaries/main.ts'] },
]

/**
 * `npm run check`: everything that can be known without an engine, as many steps at a time as there are cores. With
 * `--without-tests` for whoever runs all tests afterwards.
 */
async function main(): Promise<void> {
  const startedAt = performance.now()
  const isWithoutTests = process.argv.includes('--without-tests')
  const waiting = STEPS.filter(({ name }) => !(isWithoutTests && name === 'unit tests'))
  const failed: string[] = []
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
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
  if (advice !== undefined) console.log(`     to mend it: ${advice}`)
}

async function runStep({ command }: Step): Promise<Outcome> {
  const [program, ...args] = command
  const script = program === 'node' ? args[0] : undefined
  if (script !== undefined && !existsSync(join(root, script)))
    return { hasPassed: false, seconds: 0, output: `${script} does not exist` }
  const startedAt = performance.now()
  const chunks: Buffer[] = []
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env: toolEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { hasPassed: exitCode === 0, seconds: secondsSince(startedAt), output: Buffer.concat(chunks).toString() }
}

/** The installed tools come first on the path, also when this file is not started by npm. */
function toolEnvironment(): NodeJS.ProcessEnv {
  const path = `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  return { ...process.env, PATH: path, NO_COLOR: '1' }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
}

function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`
}

await main()
