import { PLUGIN_MESSAGE_CHARACTERS } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { cryptoPlatform } from '../../../platform/crypto-platform.ts'
import { isMessage, readReply } from './read-reply.ts'

const WRAPPER = JSON.stringify({
  _enc: 1,
  k: Buffer.alloc(256).toString('base64'),
  iv: Buffer.alloc(12).toString('base64'),
  d: Buffer.alloc(32).toString('base64'),
})
const read = (status: number, body: unknown) => readReply(cryptoPlatform, status, body)

test('a reply is a wrapper', () => {
  expect(read(200, { reply: WRAPPER })).toEqual({ kind: 'reply', reply: WRAPPER })
})

test('a plugin may say that it does not know the key', () => {
  expect(read(409, { error: 'key_unknown' })).toEqual({ kind: 'key_unknown' })
})

test.each<[number, unknown]>([
  [200, { reply: 'plain text' }],
  [200, { reply: 7 }],
  [200, {}],
  [200, null],
  [200, { error: 'key_unknown' }],
  [409, { error: 'other' }],
  [409, { reply: WRAPPER }],
  [409, null],
  [201, { reply: WRAPPER }],
  [500, { error: 'key_unknown' }],
])('status %i with %o is no reply', (status, body) => {
  expect(read(status, body)).toEqual({ kind: 'unusable' })
})

test('a message has a limit', () => {
  const ofLength = (length: number): string => {
    const { d: _d, ...rest } = JSON.parse(WRAPPER)
    const empty = JSON.stringify({ ...rest, d: '' }).length
    return JSON.stringify({ ...rest, d: 'A'.repeat(length - empty) })
  }
  const longest = PLUGIN_MESSAGE_CHARACTERS - ((PLUGIN_MESSAGE_CHARACTERS - ofLength(1000).length) % 4)
  expect(isMessage(cryptoPlatform, ofLength(longest))).toBe(true)
  expect(isMessage(cryptoPlatform, ofLength(longest + 4))).toBe(false)
})
