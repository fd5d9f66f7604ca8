import { expect, test } from 'vitest'
import { initialsOf, partyOf } from './party.ts'

test.each([
  ['Northwind Clinic', 'NC'],
  ['Harborline', 'HA'],
  ['Bäckerei Müller & Söhne', 'BS'],
  ['östra', 'ÖS'],
  ['', ''],
])('the letters of %s are %s', (name, letters) => {
  expect(initialsOf(name)).toBe(letters)
})

test('a company has the same colour everywhere', () => {
  const id = '019a0000-0000-7000-8000-0000000000e1'
  expect(partyOf(id, 5)).toBe(partyOf(id, 5))
  expect(new Set(['a', 'b', 'c', 'd', 'e'].map((each) => partyOf(each, 5))).size).toBe(5)
})
