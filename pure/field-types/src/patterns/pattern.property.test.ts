import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePattern } from '../index.ts'

// Characters on which RE2 and ECMAScript differ: white space, line ends, planes, classes.
const letters = [
  'a',
  'b',
  'B',
  '0',
  '_',
  '-',
  '.',
  ' ',
  '\t',
  '\n',
  '\r',
  '\v',
  '\u00a0',
  '\u2028',
  '\ufeff',
  'é',
  '٣',
  '😀',
]
const text = fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((parts) => parts.join(''))

const escapes = [String.raw`\s`, String.raw`\S`, String.raw`\d`, String.raw`\D`, String.raw`\w`, String.raw`\W`]
const signs = [
  String.raw`\u00e9`,
  String.raw`\u{1f600}`,
  String.raw`\ud83d\ude00`,
  String.raw`\n`,
  String.raw`\x61`,
  String.raw`\.`,
]
const member = fc.constantFrom(...escapes, ...signs, 'a', 'b-é', '.', '-', '(', '?', ':', '[', '^', String.raw`\]`)
const characterClass = fc
  .tuple(fc.constantFrom('[', '[^'), fc.array(member, { minLength: 1, maxLength: 4 }))
  .map(([open, members]) => `${open}${members.join('')}]`)

const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', '.', 'é', '😀', '^', '$', String.raw`\b`, String.raw`\p{Lu}`, ...escapes, ...signs),
    characterClass,
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('pattern'), fc.constantFrom('', '|a', '|'))
      .map(([open, inner, other]) => `${open}${inner}${other})`),
    fc.tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}?', '*?')).map((parts) => parts.join('')),
  ),
}))

test('a compiled pattern matches as ECMAScript does with the flag u', propertyLimits, () => {
  let compiledCount = 0
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 6 }), (source, texts) => {
      const compiled = compilePattern(source)
      if (!compiled.ok) return
      compiledCount += 1
      const native = new RegExp(`^(?:${source})$`, 'u')
      for (const each of texts) expect([each, compiled.value.matches(each)]).toEqual([each, native.test(each)])
    }),
    propertySettings,
  )
  expect(compiledCount).toBeGreaterThan(propertySettings.numRuns / 4)
})

const noise = fc.array(
  fc.constantFrom(
    'a',
    '\\',
    'u',
    '{',
    '}',
    '1',
    ',',
    '[',
    ']',
    '^',
    '-',
    '(',
    '?',
    ':',
    '<',
    'n',
    '>',
    '=',
    '!',
    ')',
    '*',
    '+',
    '|',
    '.',
    's',
    'p',
    'L',
    '😀',
    '\ud83d',
  ),
  { maxLength: 14 },
)

test('no text makes the compiler throw, and accepted patterns are valid ECMAScript', propertyLimits, () => {
  fc.assert(
    fc.property(
      fc.oneof(
        noise.map((parts) => parts.join('')),
        fc.string({ unit: 'binary' }),
      ),
      text,
      (source, value) => {
        const compiled = compilePattern(source)
        if (!compiled.ok) return
        expect(compiled.value.matches(value)).toBe(new RegExp(`^(?:${source})$`, 'u').test(value))
      },
    ),
    propertySettings,
  )
})
