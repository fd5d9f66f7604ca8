import { expect, test } from 'vitest'
import { fittingFields } from './fitting-fields.ts'

const filled = [
  { id: 'phone', slug: 'phone', label: 'Phone', type: 'phone' },
  { id: 'first', slug: 'first_name', label: 'First name', type: 'text' },
  { id: 'last', slug: 'last_name', label: 'Last name', type: 'text' },
  { id: 'home', slug: 'address', label: 'Address', type: 'address' },
]
const texts = ['text', 'phone']
const fit = (slug: string, label: string, type: string) =>
  fittingFields({ slug, label, type }, filled, (given) => (type === 'text' ? texts.includes(given) : given === type))

test('a text is suggested by its name only, and narrower types are not offered beside texts', () => {
  expect(fit('name', 'Last Name', 'text')).toEqual({ fits: ['last', 'first'], suggested: 'last' })
  expect(fit('customer_no', 'Customer number', 'text')).toEqual({ fits: ['first', 'last'], suggested: null })
})

test('the only value of a particular kind is suggested', () => {
  expect(fit('where', 'Where you live', 'address')).toEqual({ fits: ['home'], suggested: 'home' })
  expect(fit('mail', 'E-mail', 'email')).toEqual({ fits: [], suggested: null })
})
