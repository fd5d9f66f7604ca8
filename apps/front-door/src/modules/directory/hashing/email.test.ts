import { Secret } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { hashEmail } from './email.ts'

const key = new Secret('a-directory-key-of-32-characters')
const hash = hashEmail(key, 'josé@example.com')

test.each([' josé@example.com ', 'JOSÉ@Example.COM', 'jose\u0301@example.com'])('%j is the same address', (email) => {
  expect(hashEmail(key, email)).toBe(hash)
})

const other = hashEmail(key, 'ada@münchen.example')

test.each(['ada@xn--mnchen-3ya.example', 'ada@MÜNCHEN.example', 'ada@münchen。example', 'ada@münchen.example.'])(
  '%j is the same mailbox',
  (email) => {
    expect(hashEmail(key, email)).toBe(other)
  },
)

test.each(['ada', 'ada@', 'ada@not a host', '@'])('%j has a hash, though it is not an address', (email) => {
  expect(hashEmail(key, email)).toMatch(/^[0-9a-f]{64}$/)
})

test('another address, or another key, has another hash', () => {
  expect(hashEmail(key, 'jose@example.com')).not.toBe(hash)
  expect(hashEmail(new Secret('another-directory-key-of-32-char'), 'josé@example.com')).not.toBe(hash)
})
