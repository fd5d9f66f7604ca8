import { expect, test } from 'vitest'
import { openSampler } from './sampler.ts'

const DRAWS = 200_000

test.each([0, 0.01, 0.5, 1])('a ratio of %d is kept, whatever the seed', (ratio) => {
  for (const seed of [0, 1, 77, 255]) {
    const sample = openSampler(ratio, { bytes: (length) => new Uint8Array(length).fill(seed) })
    let taken = 0
    for (let i = 0; i < DRAWS; i += 1) if (sample()) taken += 1
    expect(taken / DRAWS).toBeCloseTo(ratio, ratio === 0.5 ? 1 : 2)
  }
})
