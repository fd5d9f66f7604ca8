import { expect, test } from 'vitest'
import type { WebCryptoKey } from '../web-crypto.ts'
import { isPinned } from './keys.ts'

test('a key is RSA-OAEP with SHA-256, and no other', () => {
  const pinned = (algorithm: object) => isPinned({ algorithm } as unknown as WebCryptoKey)
  expect(pinned({ name: 'RSA-OAEP', hash: { name: 'SHA-256' } })).toBe(true)
  for (const algorithm of [
    { name: 'RSA-OAEP', hash: { name: 'SHA-1' } },
    { name: 'RSA-OAEP', hash: null },
    { name: 'RSA-OAEP', hash: 'SHA-256' },
    { name: 'RSA-OAEP', hash: {} },
    { name: 'RSA-OAEP' },
    { name: 'RSA-PSS', hash: { name: 'SHA-256' } },
  ])
    expect(pinned(algorithm)).toBe(false)
})
