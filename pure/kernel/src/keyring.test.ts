import { expect, test } from 'vitest'
import { findKey, keyringSetting, parseKeyring } from './keyring.ts'

const KEY = 'a'.repeat(32)
const OTHER = 'b'.repeat(40)

test('one key, or two of which the first is for new data', () => {
  const one = parseKeyring(`k1:${KEY}`)
  expect([one.active.id, one.active.key.reveal(), one.all.length]).toEqual(['k1', KEY, 1])
  const two = parseKeyring(`k2:${OTHER}, k1:${KEY}`)
  expect([two.active.id, two.all.map(({ id }) => id)]).toEqual(['k2', ['k2', 'k1']])
  expect([findKey(two, 'k1')?.key.reveal(), findKey(two, 'k3')]).toEqual([KEY, null])
})

test.each([
  '',
  'k1',
  `k1:${KEY.slice(1)}`,
  `K1:${KEY}`,
  `:${KEY}`,
  `k1:${KEY},k1:${OTHER}`,
  `k1:${KEY},k2:${KEY},k3:${KEY}`,
  `k1:${KEY},`,
])('%j is refused', (text) => {
  expect(() => parseKeyring(text)).toThrow()
})

test('the setting is a secret', () => {
  expect(keyringSetting({ about: 'Keys.' })).toMatchObject({ about: 'Keys.', isSecret: true, fallback: null })
  expect(keyringSetting({ about: 'Keys.', fallback: `k1:${KEY}` }).fallback).toBe(`k1:${KEY}`)
})
