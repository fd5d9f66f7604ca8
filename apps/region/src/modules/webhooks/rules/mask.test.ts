import { expect, test } from 'vitest'
import { looksMasked, maskSecret } from './mask.ts'

test('four bullets and the last four characters', () => {
  expect(maskSecret('whsec_abcdefgh')).toBe('\u2022\u2022\u2022\u2022efgh')
  expect(maskSecret('12345678')).toBe('••••5678')
})

test('a short secret is not shown at all', () => {
  for (const short of ['', 'a', '1234567']) expect(maskSecret(short)).toBe('••••')
})

test('characters are not cut in two', () => {
  expect(maskSecret('secret-😀😁😂😃')).toBe('••••😀😁😂😃')
  expect(maskSecret('😀😁😂😃😄😅😆')).toBe('••••')
})

test('what was masked is known as such', () => {
  expect(looksMasked(maskSecret('anything at all'))).toBe(true)
  expect(looksMasked('•••one bullet less')).toBe(false)
})
