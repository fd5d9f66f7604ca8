import { expect, test } from 'vitest'
import { fileKind, fileName } from './file-kind.ts'

test.each([
  ['supply.pdf', 'supply.pdf'],
  ['', 'Supply agreement.pdf'],
  ['no extension', 'Supply agreement.pdf'],
  ['../../etc/passwd.txt', 'etc passwd.txt'],
  ['..\\evil.exe', 'evil.exe'],
  ['\u202efdp.exe', 'fdp.exe'],
  ['a\n\u0000b.pdf', 'a b.pdf'],
  ['.pdf', 'Supply agreement.pdf'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(116)}.pdf`],
])('%j is saved as %j', (given, saved) => {
  expect(fileName(given, 'Supply agreement', 'application/pdf')).toBe(saved)
})

test('a paper without any usable name has one', () => {
  expect(fileName('', '///', 'application/msword')).toBe('document')
})

test('only what cannot run is shown', () => {
  expect(['application/pdf', 'image/png', 'text/plain'].map((type) => fileKind(type))).toEqual(['pdf', 'image', 'text'])
  for (const type of ['text/html', 'image/svg+xml', 'application/msword', '']) expect(fileKind(type)).toBe('other')
})
