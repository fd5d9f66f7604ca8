import { expect, test } from 'vitest'
import { labelOfNext } from './pages.ts'

test('the first page is the front, the second the back, and what is removed is asked for again', () => {
  expect(labelOfNext([])).toBe('front')
  expect(labelOfNext([{ label: 'front' }])).toBe('back')
  expect(labelOfNext([{ label: 'front' }, { label: 'back' }])).toBe('additional')
  expect(labelOfNext([{ label: 'back' }, { label: 'additional' }])).toBe('front')
})
