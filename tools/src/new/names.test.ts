import { expect, test } from 'vitest'
import { moduleNames, operationName, splitKey } from './names.ts'

test('a module is written in every form that code, SQL and sentences need', () => {
  expect(moduleNames('loyalty-cards')).toEqual({
    kebabs: 'loyalty-cards',
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

test.each(['Cards', 'loyalty_cards', '-cards', 'cards/', '', '9cards'])('%j is no name of a module', (name) => {
  expect(moduleNames(name)).toBeNull()
})

test('a key has an area and a name', () => {
  expect(splitKey('loyalty_cards.expired')).toEqual({ area: 'loyalty_cards', what: 'expired' })
  for (const text of ['expired', 'a.b.c', 'A.b', 'a.']) expect(splitKey(text)).toBeNull()
})

test('an operation is called by verb and noun', () => {
  expect(operationName('loyalty_cards', 'renew')).toBe('renewLoyaltyCards')
  expect(operationName('services', 'change_client')).toBe('changeServicesClient')
})
