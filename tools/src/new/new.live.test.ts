import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ENGINES_FILE } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ended, runTool } from '../run-tool.ts'
import { makeScratchCopy } from './scratch-copy.ts'

const MODULES = ['apps/region/src/modules/loyalty-cards', 'apps/region/src/modules/parcels']
const TOUCHED = [
  ...MODULES,
  'apps/region/src/compose.ts',
  'apps/region/src/hooks.ts',
  'e2e/src/matrix',
  'pure/protocol/src/asks',
  'pure/protocol/src/errors',
  'pure/protocol/src/operations',
  'tools/lint/module-table.ts',
]
/** They look at all modules, operations and errors. */
const TESTS_OF_WHOLE = ['pure/protocol', 'tools/src/contract', 'tools/src/tenancy', 'tools/lint/module']
const limits = { timeout: 600_000 }
const root = join(import.meta.dirname, '../../..')

let scratch: ReturnType<typeof makeScratchCopy>
let tested: Promise<Ended> | null = null

beforeAll(async () => {
  scratch = makeScratchCopy(root)
  mkdirSync(dirname(join(scratch.folder, relative(root, ENGINES_FILE))))
  if (existsSync(ENGINES_FILE)) cpSync(ENGINES_FILE, join(scratch.folder, relative(root, ENGINES_FILE)))
  await make('module', 'loyalty-cards')
  await make('module', 'parcels', '--sides')
  await make('error', 'loyalty_cards.expired', '409', "The card's time is over", 'Ask for a new one.')
  await make('error', 'services.frozen', '409', 'The service is frozen', 'Wait until it is not.')
  await make('operation', 'loyalty_cards.renew', 'POST', '/api/loyalty-cards/{id}/renew')
  await make('operation', 'weather.list', 'GET', '/api/weather')
})
afterAll(() => scratch.remove())

// The steps of `npm run check`, on the new files and their dependants.
test.each([
  ['format', 'oxfmt', ['--check', ...TOUCHED, 'docs']],
  ['lint', 'oxlint', TOUCHED],
  ['generated files', 'node', ['tools/src/generate/main.ts', '--check']],
  ['boundaries', 'node', ['tools/src/boundaries/main.ts']],
  ['prose', 'node', ['tools/src/prose/main.ts']],
  ['types', 'tsc', ['-b']],
])('the files of npm run new pass: %s', limits, async (_, command, args) => {
  const { status, output } = await run(command, args)
  expect(status === 0 ? 'passed' : output).toBe('passed')
})

// One run of both: each would start the sources anew.
test.each(['unit', 'live'] as const)('the files of npm run new pass: %s tests', limits, async (project) => {
  const { status, output } = await (tested ??= run('vitest', ['run', '--maxWorkers=1', ...MODULES, ...TESTS_OF_WHOLE]))
  expect(status === 0 ? 'passed' : output).toBe('passed')
  const { testResults }: { testResults: readonly { readonly name: string; readonly status: string }[] } = JSON.parse(
    readFileSync(join(scratch.folder, '.vitest/results.json'), 'utf8'),
  )
  const files = testResults.filter(({ name }) => name.endsWith('.live.test.ts') === (project === 'live'))
  for (const module of MODULES) expect(files.filter(({ name }) => name.includes(`/${module}/`))).not.toEqual([])
})

test('an existing name changes nothing', async () => {
  const again = await run('node', ['tools/src/new/main.ts', 'module', 'clients'])
  expect(again).toMatchObject({ status: 1, output: expect.stringContaining('exists already') })
})

async function make(...args: readonly string[]): Promise<void> {
  const { status, output } = await run('node', ['tools/src/new/main.ts', ...args])
  expect(status === 0 ? 'passed' : output).toBe('passed')
  expect(output).toContain('Next steps:')
}

function run(command: string, args: readonly string[]): Promise<Ended> {
  return runTool(scratch.folder, command, args)
}
