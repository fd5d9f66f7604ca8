import { expect, test } from 'vitest'
import { pluralOf } from './plural.ts'

test('a number has the form and the digits of its language', () => {
  const english = pluralOf('en')
  const rows = { one: 'one row', other: '# rows' }
  expect([0, 1, 2, 12_000].map((count) => english(count, rows))).toEqual(['0 rows', 'one row', '2 rows', '12,000 rows'])
  expect(pluralOf('de')(12_000, { one: 'eine Zeile', other: '# Zeilen' })).toBe('12.000 Zeilen')
  expect(english(1, { other: '# of them' })).toBe('1 of them')
})
