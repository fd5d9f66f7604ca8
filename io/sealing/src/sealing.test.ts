import { parseKeyring } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { openUnder, resealUnder, sealUnder } from './index.ts'

const FIRST = `k1:${'a'.repeat(32)}`
const SECOND = `k2:${'b'.repeat(32)}`
const ring = parseKeyring(FIRST)

test('sealed bytes open under the same context, unchanged', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  expect(openUnder(ring, sealUnder(ring, bytes, 'a'), 'a')).toEqual(Buffer.from(bytes))
  expect(openUnder(ring, sealUnder(ring, 'grüße', 'a'), 'a').toString()).toBe('grüße')
  expect(openUnder(ring, sealUnder(ring, '', 'a'), 'a').toString()).toBe('')
})

test('two seals of one text differ, and neither contains it', () => {
  const [one, other] = [sealUnder(ring, 'secret text', 'a'), sealUnder(ring, 'secret text', 'a')]
  expect(one.bytes).not.toEqual(other.bytes)
  expect(Buffer.from(one.bytes).includes('secret')).toBe(false)
})

test('another context, a changed byte or a cut end does not open', () => {
  const sealed = sealUnder(ring, 'text', 'login.totp:one')
  expect(() => openUnder(ring, sealed, 'login.totp:two')).toThrow('does not open')
  for (const at of sealed.bytes.keys()) {
    const bytes = Uint8Array.from(sealed.bytes, (byte, index) => (index === at ? byte ^ 1 : byte))
    expect(() => openUnder(ring, { ...sealed, bytes }, 'login.totp:one')).toThrow('does not open')
  }
  expect(() => openUnder(ring, { ...sealed, bytes: sealed.bytes.subarray(1) }, 'login.totp:one')).toThrow()
  expect(() => openUnder(ring, { ...sealed, bytes: sealed.bytes.subarray(0, 20) }, 'a')).toThrow('too short')
})

test('with two keys in the ring both open, and new seals are made under the first', () => {
  const old = sealUnder(ring, 'text', 'a')
  const both = parseKeyring(`${SECOND},${FIRST}`)
  expect(openUnder(both, old, 'a').toString()).toBe('text')
  expect(sealUnder(both, 'text', 'a').keyId).toBe('k2')
})

test('rewrapped, it opens without the old key; rewrapping again does nothing', () => {
  const both = parseKeyring(`${SECOND},${FIRST}`)
  const old = sealUnder(ring, 'text', 'a')
  const fresh = resealUnder(both, old, 'a')
  expect(fresh === null ? null : openUnder(parseKeyring(SECOND), fresh, 'a').toString()).toBe('text')
  expect(fresh === null ? null : resealUnder(both, fresh, 'a')).toBeNull()
})

test('a key that left the ring is named, with a remedy', () => {
  const old = sealUnder(ring, 'text', 'a')
  expect(() => openUnder(parseKeyring(SECOND), old, 'a')).toThrow(
    'the key k1 is not in the ring; list it as the second',
  )
})
