import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testedFiles } from '../conformance/results.ts'
import { readOptions } from './options.ts'
import { keepShard, mergeShards, stepsOfShard } from './shards.ts'
import { RESULTS } from './steps.ts'

const COMMIT = 'c'.repeat(40)
const FILES = ['io/a/src/a.live.test.ts', 'pure/b/src/b.test.ts', 'e2e/src/c.live.test.ts']
let root: string
let state: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sealpost-shards-'))
  state = join(root, '.local/ci')
  for (const file of FILES) write(join(root, file), '')
})
afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The results of a shard, on a machine where the checkout is elsewhere. */
function keep(index: number, files: readonly string[], changed: { commit?: string; hasPassed?: boolean } = {}): void {
  const elsewhere = join(root, 'elsewhere')
  const testResults = files.map((file) => ({ name: join(elsewhere, file), status: 'passed', assertionResults: [] }))
  write(join(elsewhere, RESULTS), JSON.stringify({ testResults }))
  keepShard(elsewhere, state, { index, count: 2 }, { commit: COMMIT, hasPassed: true, ...changed })
}

const merge = () => mergeShards(root, join(state, 'shards'), COMMIT)

test('the results of all shards become one, with the places of this checkout', () => {
  keep(1, FILES.slice(0, 2))
  keep(2, FILES.slice(2))
  expect(merge()).toEqual([])
  expect(testedFiles(readFileSync(join(root, RESULTS), 'utf8'))).toEqual(FILES.map((file) => join(root, file)))
})

test('a missing shard fails', () => {
  keep(1, FILES)
  expect(merge()).toEqual(['the results of shard 2-of-2 are missing'])
  expect(mergeShards(root, join(root, 'nothing'), COMMIT)).toHaveLength(1)
})

test('a shard that has failed, or is of another commit, fails', () => {
  keep(1, FILES.slice(0, 2), { hasPassed: false })
  keep(2, FILES.slice(2), { commit: 'd'.repeat(40) })
  expect(merge()).toEqual(['shard 1-of-2 has failed', expect.stringContaining('is of the commit d')])
})

test('a test file that no shard has run fails, and so does one that two have run', () => {
  keep(1, FILES.slice(0, 1))
  keep(2, FILES.slice(2))
  expect(merge()).toEqual([`${FILES[1]} was run by no shard`])
  keep(2, FILES)
  expect(merge).toThrow('two runs')
})

test('each step is in one shard, and what every machine needs is in all', () => {
  const step = (name: string, seconds: number) => ({ name, seconds, command: 'true' })
  const steps = [{ ...step('engines', 50), isEverywhere: true }, step('a', 60), step('b', 40), step('c', 30)]
  const shards = [1, 2].map((index) => stepsOfShard(steps, { index, count: 2 }).map(({ name }) => name))
  expect(shards).toEqual([
    ['engines', 'a'],
    ['engines', 'b', 'c'],
  ])
})

test.each(['0/2', '3/2', '1', 'a/b'])('--shard %s is refused', (text) => {
  expect(() => readOptions(['--shard', text])).toThrow('--shard')
})
