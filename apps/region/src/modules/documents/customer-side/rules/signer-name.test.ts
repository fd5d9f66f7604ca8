import { expect, test } from 'vitest'
import { splitName } from './signer-name.ts'

test('the last word is the last name, unless the ID says otherwise', () => {
  expect(splitName(' Anna  de Vries ')).toEqual([
    { firstName: 'Anna de', lastName: 'Vries' },
    { firstName: 'Anna', lastName: 'de Vries' },
  ])
})

test('one word cannot be read as two names', () => {
  expect(splitName('Mara')).toEqual([])
})
