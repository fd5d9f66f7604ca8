import { expect, test } from 'vitest'
import { objectKey, parseObjectKey } from './object-key.ts'

test('a key is as random as its source and parses to itself', () => {
  let turn = 0
  const random = { bytes: (length: number) => new Uint8Array(length).fill((turn += 1)) }
  const [first, second] = [objectKey(random), objectKey(random)]
  expect(first).not.toBe(second)
  expect(parseObjectKey(first)).toBe(first)
})

test('other text is not a key', () => {
  for (const text of ['', '../secret', 'A'.repeat(48), 'a'.repeat(47), `${'a'.repeat(48)}\n`]) {
    expect(parseObjectKey(text)).toBeNull()
  }
})
