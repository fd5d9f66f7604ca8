import { expect, test } from 'vitest'
import { matchesPattern, mayReach, SERVICE_CLIENT_PATTERNS } from './rules.ts'

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

test('a never-granted path stays closed even to a client that holds a pattern for it', () => {
  expect(mayReach('/api/account-key', ['*'], 'account_client', ['account_client'])).toBe(false)
  expect(mayReach('/api/account/2fa/codes', ['/api/account/*'], 'account_client', ['account_client'])).toBe(false)
})

test('a matching pattern does not open a route that is not meant for this kind of caller', () => {
  expect(mayReach('/api/company-data/whoami', SERVICE_CLIENT_PATTERNS, 'service_client', ['service_client'])).toBe(true)
  expect(mayReach('/api/company-data/whoami', SERVICE_CLIENT_PATTERNS, 'service_client', ['portal'])).toBe(false)
  expect(mayReach('/api/services', SERVICE_CLIENT_PATTERNS, 'service_client', ['service_client'])).toBe(false)
})
