import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const known = ['events', 'count', 'one_time', 'mandatory']

test.each([
  ['evnts', 'events'],
  ['cuont', 'count'],
  ['oneTime', 'one_time'],
  ['one-time', 'one_time'],
  ['Mandatroy', 'mandatory'],
])('%s means %s', (name, meant) => {
  expect(nearest(name, known)).toBe(meant)
})

test.each(['', 'x', 'colour', 'cn'])('%j means none of them', (name) => {
  expect(nearest(name, known)).toBeNull()
})

test('nothing is near without names', () => {
  expect(nearest('events', [])).toBeNull()
})
