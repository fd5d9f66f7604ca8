import { expect, test } from 'vitest'
import { choosePlace, MOST_PENDING } from './pending.ts'

/** Pending registrations by their sources, the oldest first: `abb` is one of a, then two of b. */
const pendingOf = (sources: string) =>
  Array.from({ length: sources.length }, (_, place) => ({ source: sources.charAt(place), place }))
const placeFor = (sources: string, source: string) => choosePlace(pendingOf(sources), source)?.place ?? null

test('nothing gives way while there is room', () => {
  expect(placeFor('', 'a')).toBeNull()
  expect(placeFor('a'.repeat(MOST_PENDING - 1), 'a')).toBeNull()
})

test('a source that fills all places loses its own oldest', () => {
  expect(placeFor('aaaaa', 'a')).toBe(0)
  expect(placeFor('oaaaa', 'a')).toBe(1)
  expect(placeFor('oabab', 'a')).toBe(1)
})

test('one more source gets the oldest place of the source with most', () => {
  expect(placeFor('aaaaa', 'o')).toBe(0)
  expect(placeFor('abbcc', 'o')).toBe(1)
  expect(placeFor('abaob', 'o')).toBe(3)
})

test('when all sources have one, the oldest gives way', () => {
  expect(placeFor('abcde', 'o')).toBe(0)
})
