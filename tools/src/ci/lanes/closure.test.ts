import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesIn, headCommit, isClean } from './changes.ts'
import { LANES } from './table.ts'

const checkout = join(import.meta.dirname, '../../../..')
const FILES = {
  'package.json': '{"name": "root"}',
  'package-lock.json': '{}',
  'pure/kernel/package.json': '{"name": "@sealpost/kernel"}',
  'pure/kernel/src/index.ts': 'export {}',
  'pure/kernel/src/index.test.ts': 'export {}',
  'pure/words/package.json': '{"name": "@sealpost/words"}',
  'pure/words/src/index.ts': 'export {}',
  'io/bus/package.json': '{"name": "@sealpost/bus", "dependencies": {"@sealpost/kernel": "*"}}',
  'io/bus/src/index.ts': "import '@sealpost/kernel'",
  'chaos/package.json': '{"name": "@sealpost/chaos", "dependencies": {"@sealpost/bus": "*"}}',
  'chaos/README.md': 'A page.',
  'chaos/src/bus/scenario.ts': "import '@sealpost/bus'\nimport '../load.ts'",
  'chaos/src/bus/program.ts': 'export {}',
  'chaos/src/load.ts': 'export {}',
  'chaos/src/other/scenario.ts': 'export {}',
}
const lane = { name: 'chaos bus', command: 'true', seconds: 1, entries: ['chaos/src/bus/scenario.ts'] }

let root: string
let commit: string

function write(file: string, text: string): void {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

function git(...args: readonly string[]): void {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@sealpost.example']
  execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'pipe' })
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sealpost-closure-'))
  for (const [file, text] of Object.entries(FILES)) write(file, text)
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  commit = headCommit(root)
})
afterAll(() => rmSync(root, { recursive: true }))

const change = (): string | null => changesIn(root, [lane])('chaos bus', { commit, date: '2026-01-01' })

test('without a change, the lane is not due', () => {
  expect(change()).toBeNull()
  expect(isClean(root)).toBe(true)
})

test.each([
  ['its own file', 'chaos/src/bus/scenario.ts', true],
  ['a program beside it, which nothing imports', 'chaos/src/bus/program.ts', true],
  ['a file that it imports', 'chaos/src/load.ts', true],
  ['a package that it names', 'io/bus/src/index.ts', true],
  ['a package behind it', 'pure/kernel/src/index.ts', true],
  ['the installed packages', 'package-lock.json', true],
  ['another scenario', 'chaos/src/other/scenario.ts', false],
  ['a package that it does not use', 'pure/words/src/index.ts', false],
  ['a test', 'pure/kernel/src/index.test.ts', false],
  ['a page', 'chaos/README.md', false],
])('a change of %s (%s) makes it due: %s', (_, file, isDue) => {
  write(file, '// changed')
  expect(isClean(root)).toBe(false)
  expect(change() !== null).toBe(isDue)
  git('checkout', '-q', '.')
})

test('a green run of a commit that the clone does not have makes it due', () => {
  const since = changesIn(root, [lane])
  expect(since('chaos bus', { commit: 'f'.repeat(40), date: '2026-01-01' })).toContain('not in this clone')
})

test('every lane of the table starts with files that exist', () => {
  for (const { entries } of LANES)
    for (const entry of entries) expect([entry, existsSync(join(checkout, entry))]).toEqual([entry, true])
})
