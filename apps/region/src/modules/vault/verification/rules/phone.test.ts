import { expect, test } from 'vitest'
import { internationalNumber } from './phone.ts'

test('a number with a country code is sent to its digits', () => {
  expect(internationalNumber('+31 (6) 12.34-56 78')).toBe('+31612345678')
})

test.each(['0612345678', '+31', '+31 6 1234567890123', '+31 6 x', '', '+'])('%j gets no message', (text) => {
  expect(internationalNumber(text)).toBeNull()
})
