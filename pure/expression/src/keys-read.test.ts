import { expect, test } from 'vitest'
import { keysReadBy } from './keys-read.ts'

const ref = (key: string) => ({ type: 'ref', key })
const leaf = (field: string) => ({ field, op: 'answered' })

test.each<[what: string, tree: unknown, keys: readonly string[]]>([
  ['a reference', ref('a'), ['a']],
  ['operands', { type: 'math', op: 'add', args: [ref('a'), ref('b'), ref('a')] }, ['a', 'b']],
  [
    'branches and their conditions',
    JSON.parse(
      '{"type":"if","cases":[{"when":{"field":"a"},"then":{"type":"ref","key":"b"}}],"else":{"type":"ref","key":"c"}}',
    ),
    ['a', 'b', 'c'],
  ],
  ['a condition', leaf('a'), ['a']],
  ['a tree of conditions', { op: 'and', children: [leaf('a'), { op: 'not', children: [leaf('b')] }] }, ['a', 'b']],
  ['a condition with the member of a reference', { field: 'a', op: 'eq', key: 'b' }, ['a']],
  ['something else', 7, []],
])('the keys of %s', (_, tree, keys) => {
  expect(keysReadBy(tree)).toEqual(keys)
})
