import { expect, test } from 'vitest'
import { matchesPattern } from './patterns.ts'

test.each([
  ['/api/account', '/api/account', true],
  ['/api/account', '/api/account/', false],
  ['/api/account', '/api/accounts', false],
  ['/api/keys/*', '/api/keys/A/B', true],
  ['/api/keys/*', '/api/keys/', true],
  ['/api/keys/*', '/api/keys', false],
  ['/api/contact-fields*', '/api/contact-fields', true],
  ['/api/contact-fields*', '/api/contact-field-types', false],
  ['/a*b*c', '/aXbYc', true],
  ['/a*b*c', '/aXcYb', false],
  ['*', '/anything', true],
  ['/ab*ba', '/aba', false],
  ['/API/keys/*', '/api/keys/x', false],
])('%s against %s is %s', (pattern, path, expected) => {
  expect(matchesPattern(pattern, path)).toBe(expected)
})

test('a pattern of many stars stays linear', () => {
  const path = `/${'a'.repeat(100_000)}`
  expect(matchesPattern(`/${'a*'.repeat(50)}b`, path)).toBe(false)
})
