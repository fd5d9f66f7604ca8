import { expect, test } from 'vitest'
import { PDF_LIMITS } from '../limits.ts'
import { Budget } from './budget.ts'

test('the decoded streams of a file have a limit together', () => {
  const budget = new Budget(0)
  budget.takeDecoded(PDF_LIMITS.decodedBytes - 10)
  expect(budget.decodedLeft).toBe(10)
  budget.takeDecoded(10)
  expect(() => budget.takeDecoded(1)).toThrow('too_complex')
})

test('every byte of the file may be read three times, and decoded ones twice', () => {
  const budget = new Budget(1000)
  budget.takeSteps(3 * 1000 + 65_536)
  expect(() => budget.takeSteps(1)).toThrow('too_complex')
  const larger = new Budget(0)
  larger.takeDecoded(500)
  larger.takeSteps(2 * 500 + 65_536)
  expect(() => larger.takeSteps(1)).toThrow('too_complex')
})

test('four million values are read, and not one more', () => {
  const budget = new Budget(0)
  for (let count = 0; count < 4_000_000; count += 1) budget.takeToken()
  expect(() => budget.takeToken()).toThrow('too_complex')
})
