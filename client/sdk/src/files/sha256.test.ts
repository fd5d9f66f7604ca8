import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Sha256 } from './sha256.ts'

test("every length around a block has the same digest as Node's SHA-256", () => {
  const bytes = randomBytes(400)
  for (let length = 0; length <= 400; length += 1) {
    const hash = new Sha256()
    hash.update(bytes.subarray(0, length))
    expect(hash.digest()).toBe(createHash('sha256').update(bytes.subarray(0, length)).digest('hex'))
  }
})

test('the digest does not depend on how the text is split', () => {
  const bytes = randomBytes(100_000)
  const expected = createHash('sha256').update(bytes).digest('hex')
  for (const size of [1, 63, 64, 65, 4096, 99_999]) {
    const hash = new Sha256()
    for (let at = 0; at < bytes.length; at += size) hash.update(bytes.subarray(at, at + size))
    expect(hash.digest()).toBe(expected)
  }
})

test('the published examples of the standard', () => {
  const digestOf = (text: string): string => {
    const hash = new Sha256()
    hash.update(new TextEncoder().encode(text))
    return hash.digest()
  }
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(digestOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
