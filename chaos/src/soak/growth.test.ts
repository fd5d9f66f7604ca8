import { expect, test } from 'vitest'
import { increaseOf, isGrowing, lowest } from './growth.ts'

const tolerance = { share: 0.1, units: 5 }
const rising = Array.from({ length: 20 }, (_, at) => 100 + at * 2)
const sawtooth = Array.from({ length: 40 }, (_, at) => 100 + (at % 4) * 30)

test('a steady rise is found, also below peaks', () => {
  expect(increaseOf(rising)).toBe(38)
  expect(isGrowing(rising, tolerance)).toBe(true)
  expect(
    isGrowing(
      rising.map((value, at) => (at === 3 ? value * 10 : value)),
      tolerance,
    ),
  ).toBe(true)
})

test('peaks, a sawtooth and a fall are no rise', () => {
  expect(
    isGrowing(
      sawtooth.map((value, at) => (at === 30 ? 900 : value)),
      tolerance,
    ),
  ).toBe(false)
  expect(isGrowing(rising.toReversed(), tolerance)).toBe(false)
  expect(lowest(sawtooth, 4)).toEqual(Array.from({ length: 10 }, () => 100))
})

test('a rise must exceed the share and the units', () => {
  expect(isGrowing([1, 2, 3, 4], tolerance)).toBe(false)
  expect(isGrowing([10_000, 10_003, 10_006, 10_009], tolerance)).toBe(false)
  expect(isGrowing([], tolerance)).toBe(false)
})
