import { expect, test } from 'vitest'
import { moduleNames, operationName, splitKey } from './names.ts'

test('the name of a module has all forms of code, SQL and prose', () => {
  expect(moduleNames('loyalty-cards')).toEqual({
    kebabs: 'loyalty-cards',
    kebab: 'loyalty-card',
    snakes: 'loyalty_cards',
    snake: 'loyalty_card',
    camels: 'loyaltyCards',
    camel: 'loyaltyCard',
    Pascals: 'LoyaltyCards',
    Pascal: 'LoyaltyCard',
    words: 'loyalty cards',
    word: 'loyalty card',
  })
  expect(moduleNames('companies')?.snake).toBe('company')
  expect(moduleNames('access')?.snake).toBe('access')
})

test.each(['Cards', 'loyalty_cards', '-cards', 'cards/', '', '9cards'])('%j is not a valid module name', (name) => {
  expect(moduleNames(name)).toBeNull()
})

test('a key has an area and a name', () => {
  expect(splitKey('loyalty_cards.expired')).toEqual({ area: 'loyalty_cards', what: 'expired' })
  for (const text of ['expired', 'a.b.c', 'A.b', 'a.']) expect(splitKey(text)).toBeNull()
})

test('the name of an operation is verb and noun', () => {
  expect(operationName('loyalty_cards', 'renew')).toBe('renewLoyaltyCards')
  expect(operationName('services', 'change_client')).toBe('changeServicesClient')
})
