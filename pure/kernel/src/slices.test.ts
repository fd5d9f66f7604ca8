import { expect, test } from 'vitest'
import { textSlices } from './slices.ts'

test.each(['', 'a', 'abcd', 'abcde', 'a😀b', 'abc😀', '😀😀😀😀', 'é€😀'])('the parts of %j are the text', (text) => {
  for (const length of [1, 2, 3, 4, 10]) {
    const parts = [...textSlices(text, length)]
    expect(parts.join('')).toBe(text)
    expect(parts.every((part) => part.isWellFormed() && part.length <= length + 1)).toBe(true)
  }
})

test('only the first half of a character takes the second with it', () => {
  expect([...textSlices('\u{10000}ab', 2)]).toEqual(['\u{10000}', 'ab'])
  expect([...textSlices('a\u{10fc00}b', 2)]).toEqual(['a\u{10fc00}', 'b'])
  expect([...textSlices('\ud7ff\ud7ff', 1)]).toEqual(['\ud7ff', '\ud7ff'])
  expect([...textSlices('a\u{10000}', 2)]).toEqual(['a\u{10000}'])
})
