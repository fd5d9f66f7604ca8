import { expect, test } from 'vitest'
import { fitsInFlow } from './asset-limits.ts'

const BYTES = 40 * 1_048_576

test.each([
  [{ files: 200, bytes: BYTES }, true],
  [{ files: 201, bytes: 0 }, false],
  [{ files: 1, bytes: BYTES + 1 }, false],
])('%o fits into a flow: %s', (held, fits) => {
  expect(fitsInFlow(held)).toBe(fits)
})
