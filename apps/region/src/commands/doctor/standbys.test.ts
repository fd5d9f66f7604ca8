import type { Replication, Standby } from '@sealpost/postgres'
import { expect, test } from 'vitest'
import { describeStandbys } from './standbys.ts'

const a: Standby = { name: 'a', state: 'streaming', syncState: 'quorum' }
const b: Standby = { name: 'b', state: 'streaming', syncState: 'quorum' }

function describe(names: string, standbys: readonly Standby[], synchronousCommit = 'on'): string {
  const replication: Replication = { synchronousStandbyNames: names, synchronousCommit, standbys }
  return describeStandbys(replication)
}

test.each([
  ['ANY 1 (a, b)', [a, b]],
  ['any 1(a,b)', [a, b]],
  [
    'FIRST 1 (a, b)',
    [
      { ...a, syncState: 'sync' },
      { ...b, syncState: 'potential' },
    ],
  ],
  [
    'a, b',
    [
      { ...a, syncState: 'sync' },
      { ...b, syncState: 'potential' },
    ],
  ],
])('with %s and both standbys, one may fail', (names, standbys) => {
  const text = describe(names, standbys)
  expect(text).toContain(`synchronous_standby_names = '${names}'; 2 of them follow: a, b`)
  expect(text).toContain('one may fail without stopping writes')
})

test.each([
  ['ANY 1 (a, b)', [a]],
  ['ANY 2 (a, b)', [a, b]],
  ['2 (a, b)', [a, b]],
  ['a', [{ ...a, syncState: 'sync' }]],
  ['ANY 1 (a, b)', [a, { ...b, state: 'catchup' }]],
  [
    'a',
    [
      { ...a, syncState: 'sync' },
      { ...b, syncState: 'async' },
    ],
  ],
])('with %s and as many standbys as it waits for, one that fails stops writes', (names, standbys) => {
  const text = describe(names, standbys)
  expect(text).toContain('one that fails stops all writes')
  expect(text).toContain("synchronous_standby_names = 'ANY 1 (a, b)'")
})

test('with fewer standbys than it waits for, writes wait now', () => {
  expect(describe('ANY 1 (a, b)', [])).toContain('0 of them follow; WRITES WAIT NOW for 1')
})

test('without the setting, or with a commit that does not wait, acknowledged writes may be lost', () => {
  expect(describe('', [{ ...a, syncState: 'async' }])).toContain('writes that were answered may be lost')
  expect(describe('ANY 1 (a, b)', [a, b], 'local')).toContain('has no effect, because synchronous_commit is local')
})

test('a login that may not see the standbys is told what to grant', () => {
  expect(describe('ANY 1 (a, b)', [{ name: 'a', state: null, syncState: null }])).toContain('grant it pg_monitor')
})
