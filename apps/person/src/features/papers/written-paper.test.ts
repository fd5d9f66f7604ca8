import { expect, test } from 'vitest'
import { readWritten } from './written-paper.ts'

test('text with sections and fields is read as it was written', () => {
  const value = {
    title: 'Terms',
    sections: [{ heading: 'Delivery', text: 'On Mondays' }, { text: 'Pay within 14 days' }],
    fields: [{ label: 'Price', value: 12 }],
  }
  expect(readWritten(value)).toEqual({
    title: 'Terms',
    sections: [
      { heading: 'Delivery', text: 'On Mondays' },
      { heading: null, text: 'Pay within 14 days' },
    ],
    fields: [{ label: 'Price', value: '12' }],
  })
})

test('any other value is a table: nothing of it is left out', () => {
  const { fields } = readWritten({ plan: { name: 'Gold', seats: 3 }, tags: ['a', 'b'], note: null })
  expect(fields).toEqual([
    { label: 'plan · name', value: 'Gold' },
    { label: 'plan · seats', value: '3' },
    { label: 'tags · 0', value: 'a' },
    { label: 'tags · 1', value: 'b' },
    { label: 'note', value: '' },
  ])
  expect(readWritten('just text').fields).toEqual([{ label: '', value: 'just text' }])
})

test('what a hostile company sends is shown as text', () => {
  const { sections } = readWritten({ sections: [null, 3, { text: { toString: 'x' } }, { text: '<b>bold</b>' }] })
  expect(sections.map(({ text }) => text)).toEqual(['', '', '{"toString":"x"}', '<b>bold</b>'])
})
