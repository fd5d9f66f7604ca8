import { expect, test } from 'vitest'
import { looksMasked, maskSecret } from './mask.ts'

test('a mask is four bullets and the last four characters', () => {
  expect(maskSecret('whsec_abcdefgh')).toBe('\u2022\u2022\u2022\u2022efgh')
  expect(maskSecret('12345678')).toBe('••••5678')
})

test('the mask of a short secret contains nothing of it', () => {
  for (const short of ['', 'a', '1234567']) expect(maskSecret(short)).toBe('••••')
})

test('surrogate pairs are not cut', () => {
  expect(maskSecret('secret-😀😁😂😃')).toBe('••••😀😁😂😃')
  expect(maskSecret('😀😁😂😃😄😅😆')).toBe('••••')
})

test('a masked value is recognised', () => {
  expect(looksMasked(maskSecret('anything at all'))).toBe(true)
  expect(looksMasked('•••one bullet less')).toBe(false)
})
