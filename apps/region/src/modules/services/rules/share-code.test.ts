import { expect, test } from 'vitest'
import { isShareCode, presetCode } from './share-code.ts'

test.each(['A', '7', 'INTAKE', 'AB12CD34'])('%j is a share code', (code) => {
  expect(isShareCode(code)).toBe(true)
})

test.each(['', 'intake', 'ABCDEFGHI', 'A-B', 'Ä', 'A ', 'A\n', 7, null, undefined, ['A'], {}])(
  '%j is no share code',
  (value) => {
    expect(isShareCode(value)).toBe(false)
  },
)

test.each([
  ['Patient intake', [], 'PATIENTI'],
  ['Patient intake', ['PATIENTI'], 'PATIENT2'],
  ['Patient intake', ['PATIENTI', 'PATIENT2'], 'PATIENT3'],
  ['Übergröße 24', [], 'UBERGROS'],
  ['医院', [], 'SERVICE'],
  ['医院', ['SERVICE'], 'SERVICE2'],
  ['x', ['X'], 'X2'],
])('%s with taken codes %j becomes %s', (name, taken, code) => {
  expect(presetCode(name, taken)).toBe(code)
  expect(isShareCode(code)).toBe(true)
})

test('a hundred services of one name get different codes', () => {
  const codes: string[] = []
  for (let turn = 0; turn < 100; turn += 1) codes.push(presetCode('Account opening', codes))
  expect(new Set(codes).size).toBe(100)
  expect(codes.every(isShareCode)).toBe(true)
})
