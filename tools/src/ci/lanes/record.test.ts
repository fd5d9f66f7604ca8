import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatRecord, parseRecord, readRecord } from './record.ts'
import { LANES } from './table.ts'

test('a record is read as it was written, its lanes in order', () => {
  const text = 'lane\tcommit\tdate\nbench http\t0123abcd\t2026-11-18\nchaos bus\t0123abce\t2026-11-17\n'
  expect(formatRecord(new Map([...parseRecord(text)].toReversed()))).toBe(text)
})

test.each(['lane\tcommit\n', 'lane\tcommit\tdate\nbench http\tmain\t2026-11-18\n', 'lane\tcommit\tdate\nbench http\n'])(
  'a record that cannot be read is refused: %j',
  (text) => {
    expect(() => parseRecord(text)).toThrow('docs/ci-lanes.tsv')
  },
)

test('the committed record names lanes that exist', () => {
  const names = LANES.map(({ name }) => name)
  const recorded = [...readRecord(join(import.meta.dirname, '../../../..')).keys()]
  expect(recorded.filter((name) => !names.includes(name))).toEqual([])
})
