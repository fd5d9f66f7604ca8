import { expect, test } from 'vitest'
import { Counts } from '../flows/counts.ts'
import { makeKeyPool } from './key-pool.ts'
import { tryRun } from './try-keys.ts'

test('a reader of a run opens its own copies, the public tag values and its own private ones, and nothing else', async () => {
  const pool = await makeKeyPool(5)
  const counts = new Counts()
  for (let seed = 0; seed < 40; seed += 1) await tryRun(seed, pool, counts)
  expect(counts.get('runs')).toBe(40)
  expect(counts.get('opened')).toBeGreaterThan(100)
  expect(counts.get('refused')).toBeGreaterThan(200)
})
