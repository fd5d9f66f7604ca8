import { expect, test } from 'vitest'
import { cyclesIn } from './cycles.ts'

test.each<[what: string, leads: Record<string, readonly string[]>, cycles: readonly (readonly string[])[]]>([
  ['nothing', {}, []],
  ['a line', { a: ['b'], b: ['c'] }, []],
  ['a key that leads to itself', { a: ['a'], b: ['a'] }, [['a']]],
  ['members in the order of the keys, not of the way', { a: ['c'], b: ['a'], c: ['b'] }, [['a', 'b', 'c']]],
  [
    'two apart',
    { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
    [
      ['c', 'd'],
      ['a', 'b'],
    ],
  ],
  ['two that share a key', { a: ['b', 'c'], b: ['a'], c: ['a'] }, [['a', 'b', 'c']]],
  ['a way into a cycle', { a: ['b'], b: ['c'], c: ['b'] }, [['b', 'c']]],
])('%s', (_, leads, cycles) => {
  expect(cyclesIn(new Map(Object.entries(leads)))).toEqual(cycles)
})
