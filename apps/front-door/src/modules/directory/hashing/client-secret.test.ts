import { parseKeyring, Secret } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { hashSecret, matchesSecret } from './client-secret.ts'

const old = `k1:${'a'.repeat(32)}`
const fresh = `k2:${'b'.repeat(32)}`
const secret = new Secret('the secret')

test('only the same secret under the same key matches', () => {
  const ring = parseKeyring(old)
  const stored = hashSecret(ring, secret)
  expect(matchesSecret(ring, stored, secret)).toBe(true)
  expect(matchesSecret(ring, stored, new Secret('the secret '))).toBe(false)
  expect(matchesSecret(parseKeyring(`k1:${'c'.repeat(32)}`), stored, secret)).toBe(false)
  expect(Buffer.from(stored.hash).toString()).not.toContain('secret')
})

test('after a rotation old hashes still match until their key leaves the ring', () => {
  const stored = hashSecret(parseKeyring(old), secret)
  expect(matchesSecret(parseKeyring(`${fresh},${old}`), stored, secret)).toBe(true)
  expect(matchesSecret(parseKeyring(fresh), stored, secret)).toBe(false)
  expect(hashSecret(parseKeyring(`${fresh},${old}`), secret).keyId).toBe('k2')
})
