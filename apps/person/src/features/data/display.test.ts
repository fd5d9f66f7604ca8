import { expect, test } from 'vitest'
import { words } from '../../words/en/index.ts'
import { displayValue } from './display.ts'

const type = (name: string, input: string) => ({ type: name, input, isFile: false, options: [], entries: [] })
const shown = (name: string, input: string, text: string) => displayValue(words, 'en', type(name, input), text)

test('values are shown as one reads them', () => {
  const home = { street: 'Storgatan', building_number: '14', postal_code: '411 38', city: 'Göteborg', country: 'SE' }
  expect(shown('address', 'composite', JSON.stringify(home))).toBe('Storgatan 14, 411 38 Göteborg, Sweden')
  expect(shown('date_of_birth', 'date', '1987-03-09')).toBe('9 March 1987')
  expect(shown('country', 'country', 'NL')).toBe('Netherlands')
  expect(shown('multiselect', 'multilist', '["a","b"]')).toBe('a, b')
  expect(shown('text', 'line', 'Mara')).toBe('Mara')
})

test('of a card only the last digits are shown', () => {
  const card = JSON.stringify({ number: '4111111111111111', cvc: '123', name: 'Mara L' })
  expect(shown('creditcard', 'composite', card)).toBe('•••• 1111 Mara L')
})

test('a text that is not what its type says does not break the page', () => {
  for (const text of ['', 'null', '[1', '3']) expect(shown('address', 'composite', text)).toBe('')
  expect(shown('country', 'country', 'nowhere')).toBe('nowhere')
})
