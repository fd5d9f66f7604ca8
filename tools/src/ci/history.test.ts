import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepRun, type KeptRun, lastGreen, readRuns, repeatedlyUnstable, stateFolder } from './history.ts'

let state: string

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'sealpost-history-'))
})
afterEach(() => rmSync(state, { recursive: true }))

function run(day: number, changed: Partial<KeptRun> = {}): KeptRun {
  const startedAt = new Date(Date.UTC(2026, 0, day)).toISOString()
  return { startedAt, commit: `c${day}`, isClean: true, steps: [], unstable: [], costs: {}, ...changed }
}

test('a file that fails at its first attempt in two kept runs has failed', () => {
  const kept = [run(1, { unstable: ['a.test.ts'] }), run(2)]
  expect(repeatedlyUnstable(kept, ['a.test.ts', 'b.test.ts'])).toEqual(['a.test.ts'])
  expect(repeatedlyUnstable(kept, [])).toEqual([])
})

test('the newest runs are kept, and one that cannot be read is ignored', () => {
  for (let day = 1; day <= 25; day += 1) keepRun(state, run(day))
  expect(readdirSync(join(state, 'runs'))).toHaveLength(20)
  expect(readRuns(state).map(({ commit }) => commit)).toEqual(Array.from({ length: 20 }, (_, place) => `c${place + 6}`))
  writeFileSync(join(state, 'runs', '0.json'), '{"startedAt": 7}')
  writeFileSync(join(state, 'runs', '1.json'), 'no JSON')
  expect(readRuns(state)).toHaveLength(20)
})

test('a green run of changed files says nothing about its commit', () => {
  const step = (outcome: string) => ({ steps: [{ name: 'chaos bus', outcome, seconds: 1 }] })
  const kept = [run(1, step('passed')), run(2, step('failed')), run(3, { ...step('passed'), isClean: false })]
  expect(lastGreen(kept, 'chaos bus')?.commit).toBe('c1')
  expect(lastGreen(kept, 'chaos other')).toBeUndefined()
})

test('CI_STATE is the place of the state', () => {
  expect(stateFolder('/nowhere', { CI_STATE: join(state, 'kept') })).toBe(join(state, 'kept'))
})
