import type { Dice } from '@sealpost/testkit/dice'

/** What a request may contain: JSON, as far as it can be written down. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

const TEXTS: readonly [string, ...string[]] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066abc',
  '\ufeff',
  '👩‍👩‍👧‍👦'.repeat(40),
  'é',
  'ﬃ',
  "'; drop table account.account; --",
  '%00%2e%2e%2f',
  '../../../../etc/passwd',
  '{{7*7}}${7*7}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '<!DOCTYPE x [<!ENTITY a "b">]>&a;',
  ']]>',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0190C4F5-8A7B-7000-8000-000000000000',
  '0190c4f5-8a7b-7000-8000-00000000000g',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  '2024-02-30T25:61:61Z',
  'infinity',
  'A'.repeat(255),
  'A'.repeat(256),
  'a'.repeat(100_000),
  `${'a'.repeat(40)}!`,
  '====',
  'AAAA',
  'not-base64!!',
  'https://[::1',
  'http://169.254.169.254/',
  'javascript:alert(1)',
  'a@b',
  `${'a'.repeat(64)}@${'b'.repeat(180)}.example`,
  '"a b"@example.com',
  'xn--80ak6aa92e.example',
]

const NUMBERS: readonly [number, ...number[]] = [
  0,
  -0,
  -1,
  1,
  0.1,
  1e-320,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e308,
]

export function hostileText(dice: Dice): string {
  return dice.pick(TEXTS)
}

export function hostileNumber(dice: Dice): number {
  return dice.pick(NUMBERS)
}

/** Any value, small or large, in place of another. */
export function hostileValue(dice: Dice): Json {
  switch (dice.below(10)) {
    case 0:
      return null
    case 1:
      return dice.chance(0.5)
    case 2:
    case 3:
      return hostileNumber(dice)
    case 4:
      return []
    case 5:
      return Array.from({ length: dice.pick([1, 2, 101, 1001]) }, () => hostileText(dice))
    case 6:
      return nested(dice.pick([2, 40, 400]))
    case 7:
      return { [hostileText(dice)]: hostileText(dice), iv: '', data: hostileNumber(dice) }
    default:
      return hostileText(dice)
  }
}

function nested(depth: number): Json {
  let value: Json = {}
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value }
  return value
}
