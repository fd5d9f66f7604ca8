import { expect, test } from 'vitest'
import { areaOf, readCosts, writeCommitted } from './costs.ts'

test('the last line of a file is its cost', () => {
  expect(readCosts('a\t250\nb\t10\na\t30\n')).toEqual([
    { file: 'a', ms: 30 },
    { file: 'b', ms: 10 },
  ])
})

test('committed costs are rounded, sorted by name and without cheap files', () => {
  const costs = [
    { file: 'z', ms: 1260 },
    { file: 'cheap', ms: 999 },
    { file: 'a', ms: 20_049 },
  ]
  expect(writeCommitted(costs)).toBe('a\t20000\nz\t1300\n')
})

test.each([
  ['apps/region/src/modules/feed/drain.live.test.ts', 'apps/region/src/modules/feed'],
  ['apps/region/src/ready.live.test.ts', 'apps/region'],
  ['io/bus/src/bus.live.test.ts', 'io/bus'],
])('%s belongs to the area %s', (file, area) => {
  expect(areaOf(file)).toBe(area)
})
