import { expect, test } from 'vitest'
import { systemRandom } from './system.ts'

test('no bytes are returned twice, whatever the sizes', () => {
  const seen = new Set<string>()
  for (let i = 0; i < 20_000; i += 1) {
    const bytes = systemRandom.bytes(8 + (i % 60))
    expect(bytes.length).toBe(8 + (i % 60))
    seen.add(Buffer.from(bytes.subarray(0, 8)).toString('hex'))
  }
  expect(seen.size).toBe(20_000)
})

test('returned bytes do not change', () => {
  const first = systemRandom.bytes(16)
  const copy = Buffer.from(first)
  for (let i = 0; i < 1000; i += 1) systemRandom.bytes(16)
  expect(Buffer.from(first).equals(copy)).toBe(true)
})

test('every byte value occurs about equally often', () => {
  const counts = Array.from({ length: 256 }, () => 0)
  for (let i = 0; i < 10_000; i += 1) {
    for (const value of systemRandom.bytes(16)) counts[value] = (counts[value] ?? 0) + 1
  }
  // 160,000 bytes: 625 of each expected, with a standard deviation of 25.
  expect(Math.min(...counts)).toBeGreaterThan(425)
  expect(Math.max(...counts)).toBeLessThan(825)
})
