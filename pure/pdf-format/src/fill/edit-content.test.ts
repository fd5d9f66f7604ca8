import { expect, test } from 'vitest'
import { ScanBudget } from '../content/scan-budget.ts'
import { bytesOf, latin1 } from '../reader/characters.ts'
import { editContent } from './edit-content.ts'
import { withoutText } from './without-text.ts'
import { formatNumber } from './write-show.ts'

test('edits replace their bytes, in any order; everything else stays', () => {
  const edited = editContent(bytesOf('0123456789'), [
    { start: 7, end: 8, text: 'xyz' },
    { start: 2, end: 4, text: '' },
    { start: 4, end: 4, text: '\u{e9}' },
  ])
  expect(latin1(edited)).toBe('01\u{e9}456xyz89')
  expect(latin1(editContent(bytesOf('01'), []))).toBe('01')
  expect(latin1(editContent(bytesOf('01'), [{ start: 0, end: 2, text: 'a' }]))).toBe('a')
})

test('edits that overlap are refused', () => {
  const overlapping = [
    { start: 1, end: 5, text: 'a' },
    { start: 4, end: 6, text: 'b' },
  ]
  expect(() => editContent(bytesOf('0123456789'), overlapping)).toThrow('edits of a content overlap')
})

test('an appearance without its text keeps border and background', () => {
  const budget = new ScanBudget(100)
  const content = '1 g 0 0 9 9 re f BT /F1 9 Tf (a) Tj ET 0 0 9 9 re S BT (b) Tj ET Q'
  expect(latin1(withoutText(bytesOf(content), budget))).toBe('1 g 0 0 9 9 re f   0 0 9 9 re S   Q')
  expect(latin1(withoutText(bytesOf('ET 1 g BT BT (b) Tj ET ET'), budget))).toBe('ET 1 g   ET')
  expect(latin1(withoutText(bytesOf('1 g BT (b) Tj'), budget))).toBe('1 g BT (b) Tj')
})

test('numbers have no exponent', () => {
  const texts = [0, -0, 1, -1.5, 1 / 3, 1e-9, -1e-9, 100, 1e21, -1e21, Number.NaN, Infinity].map(formatNumber)
  expect(texts).toEqual([
    '0',
    '0',
    '1',
    '-1.5',
    '0.3333',
    '0',
    '0',
    '100',
    '1000000000',
    '-1000000000',
    '0',
    '1000000000',
  ])
})
