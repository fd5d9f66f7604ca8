import { expect, test } from 'vitest'
import { textSlices } from './slices.ts'

test.each(['', 'a', 'abcd', 'abcde', 'a😀b', 'abc😀', '😀😀😀😀', 'é€😀'])('the parts of %j are the text', (text) => {
  for (const length of [1, 2, 3, 4, 10]) {
    const parts = [...textSlices(text, length)]
    expect(parts.join('')).toBe(text)
    expect(parts.every((part) => part.isWellFormed() && part.length <= length + 1)).toBe(true)
  }
})
