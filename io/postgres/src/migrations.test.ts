import { expect, test } from 'vitest'
import { missingSteps, newerSteps } from './migrations.ts'

test('missing steps are applied in the order of their names', () => {
  expect(missingSteps(['0001_a'], ['0003_c', '0001_a', '0002_b'])).toEqual(['0002_b', '0003_c'])
  expect(missingSteps(['0001_a'], ['0001_a'])).toEqual([])
})

test('a database of a newer release needs no step', () => {
  expect(missingSteps(['0001_a', '0002_b'], ['0001_a'])).toEqual([])
  expect(newerSteps(['0001_a', '0002_b'], ['0001_a'])).toEqual(['0002_b'])
})

test('a database of a release that does not follow this one is refused', () => {
  expect(() => missingSteps(['0001_a', '0003_c'], ['0001_a', '0002_b'])).toThrow(
    'has steps of another release (0003_c) and lacks steps of this one (0002_b)',
  )
})

test('a step with a lower number than an applied one is refused', () => {
  expect(() => missingSteps(['0001_a', '0003_c'], ['0001_a', '0002_b', '0003_c'])).toThrow(
    '0002_b would run after 0003_c',
  )
})
