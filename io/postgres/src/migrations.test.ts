import { expect, test } from 'vitest'
import { missingSteps } from './migrations.ts'

test('missing steps are applied in the order of their names', () => {
  expect(missingSteps(['0001_a'], ['0003_c', '0001_a', '0002_b'])).toEqual(['0002_b', '0003_c'])
  expect(missingSteps(['0001_a'], ['0001_a'])).toEqual([])
})

test('a database of a newer release is refused', () => {
  expect(() => missingSteps(['0001_a', '0002_b'], ['0001_a'])).toThrow('0002_b, which this release does not know')
})

test('a step with a lower number than an applied one is refused', () => {
  expect(() => missingSteps(['0001_a', '0003_c'], ['0001_a', '0002_b', '0003_c'])).toThrow(
    '0002_b would run after 0003_c',
  )
})
