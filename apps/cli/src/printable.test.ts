import { expect, test } from 'vitest'
import { printable, printableJson } from './printable.ts'
import { openTerminal } from './testing.ts'

/** All code points of Unicode's classes of controls, formats and separators of lines and paragraphs. */
const UNSEEN = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character))

test('no control, direction, zero width or line feed is printed', () => {
  expect(UNSEEN.length).toBeGreaterThan(200)
  expect(printable(UNSEEN.join('a'))).toBe(UNSEEN.map(() => '\u{fffd}').join('a'))
  expect(printable('Zoë Łódź — 🙂 שלום 日本')).toBe('Zoë Łódź — 🙂 שלום 日本')
})

test('a JSON document without them means the same', () => {
  const text = JSON.stringify({ text: UNSEEN.join('a') })
  expect(printableJson(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(JSON.parse(printableJson(text))).toEqual(JSON.parse(text))
})

test('every command prints through it: an error that repeats what was typed', async () => {
  const hostile = 'nothing\u{1b}[2J\u{9b}\u{202e}\nsealpost: done'
  using terminal = openTerminal()
  const { logged, out } = await terminal.run(hostile)
  expect(logged).toMatch(/^sealpost: there is no command nothing\u{fffd}\[2J\u{fffd}{3}sealpost: done/u)
  const json = await terminal.run(hostile, '--json')
  expect(JSON.parse(json.logged).error).toContain('nothing\u{1b}[2J')
  expect(`${out}${json.logged}`).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
