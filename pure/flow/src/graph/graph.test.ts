import { expect, test } from 'vitest'
import { edgesFrom, graphOf, parseDefinition, reachableFrom, successors } from '../index.ts'

const parsed = parseDefinition({
  entry: 'a',
  output_mode: 'data_only',
  parties: [{ key: 'us' }],
  nodes: ['a', 'b', 'c', 'd'].map((key) => ({ key, party: 'us' })),
  edges: [
    { from: 'a', to: 'c', sort: 2 },
    { from: 'a', to: 'b', sort: 1 },
    { from: 'b', to: 'c' },
    { from: 'a', to: 'b', sort: 3 },
    { from: 'c', to: 'nowhere' },
    { from: 'nowhere', to: 'd' },
  ],
})
if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
const flow = parsed.value

test('the edges of a step are tried in their order, and those that touch no step are left out', () => {
  expect(edgesFrom(flow, 'a').map(({ to, sort }) => `${to}${sort}`)).toEqual(['b1', 'c2', 'b3'])
  expect([edgesFrom(flow, 'c'), edgesFrom(flow, 'nowhere')]).toEqual([[], []])
  expect(successors(flow, 'a')).toEqual(['b', 'c'])
})

test('a step reaches itself and all that follow', () => {
  const reached = (key: string) => [...reachableFrom(graphOf(flow), key)].toSorted()
  expect([reached('a'), reached('b'), reached('d'), reached('nowhere')]).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
    ['d'],
    [],
  ])
})
