import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeScratchCopy } from './scratch-copy.ts'

const MODULE = 'apps/region/src/modules/loyalty-cards'
const TOUCHED = [
  MODULE,
  'apps/region/src/compose.ts',
  'apps/region/src/migrations.ts',
  'e2e/src/matrix',
  'pure/protocol/src/asks',
  'pure/protocol/src/errors',
  'pure/protocol/src/operations',
  'tools/lint/module-table.ts',
]
const limits = { timeout: 600_000 }

let scratch: ReturnType<typeof makeScratchCopy>

beforeAll(async () => {
  scratch = makeScratchCopy(join(import.meta.dirname, '../../..'))
  await make('module', 'loyalty-cards')
  await make('error', 'loyalty_cards.expired', '409', "The card's time is over", 'Ask for a new one.')
  await make('error', 'services.frozen', '409', 'The service is frozen', 'Wait until it is not.')
  await make('operation', 'loyalty_cards.renew', 'POST', '/api/loyalty-cards/{id}/renew')
  await make('operation', 'weather.list', 'GET', '/api/weather')
}, 120_000)
afterAll(() => scratch.remove())

// The parts of `npm run check`, on what was written and whatever depends on it.
test.each([
  ['format', 'oxfmt', ['--check', ...TOUCHED, 'docs']],
  ['lint', 'oxlint', TOUCHED],
  ['generated files', 'node', ['tools/src/generate/main.ts', '--check']],
  ['boundaries', 'node', ['tools/src/boundaries/main.ts']],
  ['types', 'tsc', ['-b', 'pure/protocol', 'apps/region', 'e2e']],
  [
    'unit tests',
    'vitest',
    [
      'run',
      '--project',
      'unit',
      MODULE,
      'pure/protocol',
      'tools/src/contract',
      'tools/src/tenancy',
      'tools/lint/module',
    ],
  ],
])('what npm run new writes passes: %s', limits, async (_, command, args) => {
  const { status, output } = await run(command, args)
  expect(status === 0 ? 'passed' : output).toBe('passed')
})

test('a name that is taken changes nothing', async () => {
  const again = await run('node', ['tools/src/new/main.ts', 'module', 'clients'])
  expect(again).toMatchObject({ status: 1, output: expect.stringContaining('exists already') })
})

async function make(...args: readonly string[]): Promise<void> {
  const { status, output } = await run('node', ['tools/src/new/main.ts', ...args])
  expect(status === 0 ? 'passed' : output).toBe('passed')
  expect(output).toContain('What is left to do:')
  // Every line found its place: nothing is left to be added by hand.
  expect(output).not.toContain('- add to ')
}

interface Ended {
  readonly status: number | null
  readonly output: string
}

/** Without holding up this process: the runner of the tests must hear from it. */
async function run(command: string, args: readonly string[]): Promise<Ended> {
  const path = `${join(scratch.folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  const child = spawn(command, args, { cwd: scratch.folder, env: { ...process.env, PATH: path, NO_COLOR: '1' } })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, output: Buffer.concat(chunks).toString() }
}
