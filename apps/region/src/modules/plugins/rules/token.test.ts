import { Secret } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import { readNewToken, readTokenChange } from './token.ts'

const refused = { ok: false, refusal: 'invalid' }

describe.each([
  ['a new token', readNewToken],
  ['a changed token', readTokenChange],
])('%s', (_, read) => {
  test.each(['!', '~', 'x'.repeat(4096)])('has 1 to 4096 visible ASCII characters', (token) => {
    const taken = read(token)
    expect(taken.ok && taken.value instanceof Secret ? taken.value.reveal() : null).toBe(token)
  })

  test.each(['x'.repeat(4097), 'a b', 'a\tb', 'ä', '\u007f', '\u2022\u2022\u2022\u2022abcd', 7, {}, 'a\n'])(
    'is refused as %j',
    (token) => {
      expect(read(token)).toEqual(refused)
    },
  )
})

test('a new plugin has no token when none is given; an empty text is refused', () => {
  expect(readNewToken(undefined)).toEqual({ ok: true, value: null })
  expect(readNewToken(null)).toEqual({ ok: true, value: null })
  expect(readNewToken('')).toEqual(refused)
})

test('a change keeps the token by an empty text, clears it by null, and must name it', () => {
  expect(readTokenChange('')).toEqual({ ok: true, value: 'keep' })
  expect(readTokenChange(null)).toEqual({ ok: true, value: 'clear' })
  expect(readTokenChange(undefined)).toEqual(refused)
})
