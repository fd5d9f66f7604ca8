import { expect, test } from 'vitest'
import { areaOf, readCosts, writeMark } from './marks.ts'

const mark = (worker: number, usedMs: number, file: string, run = 7): string => writeMark({ run, worker, usedMs, file })

test('the cost of a file ends where its worker begins with the next one; only the last run counts', () => {
  const earlier = mark(1, 0, 'x', 6) + mark(1, 90, 'y', 6)
  const text = earlier + mark(1, 100, 'a') + mark(2, 50, 'b') + mark(1, 350, 'c') + mark(2, 60, 'd')
  const costs = readCosts(text)
  expect(costs.map(({ ms }) => ms)).toEqual([250, 10])
  expect(costs.map(({ file }) => file.split('/').at(-1))).toEqual(['a', 'b'])
})

test.each([
  ['apps/region/src/modules/feed/drain.live.test.ts', 'apps/region/src/modules/feed'],
  ['apps/region/src/ready.live.test.ts', 'apps/region'],
  ['io/bus/src/bus.live.test.ts', 'io/bus'],
])('%s belongs to the area %s', (file, area) => {
  expect(areaOf(file)).toBe(area)
})
