import { growthForTenfold } from '@sealpost/testkit/growth'
import { describe, expect, test } from 'vitest'
import { compilePattern, readRegistry, seedRows, validateValue } from './index.ts'

/** Random a and b, then a character that fits no pattern: the match stays undecided until the end. */
function undecided(length: number): string {
  let state = 12_345
  const letters = Array.from({ length: length - 1 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return (state >> 16) % 2 === 0 ? 'a' : 'b'
  })
  return `${letters.join('')}!`
}

describe('50,000 characters cost at most 20 times what 5,000 cost', () => {
  const texts = new Map([5000, 50_000].map((length) => [length, undecided(length)]))

  test.each([
    // Exponential for an engine that backtracks.
    ['nested repeats', '(a+|b+)+'],
    ['overlapping alternatives', '(a|b|ab|ba)*'],
    ['optional letters', '(?:a?b?){30}(?:a?b?)*'],
    ['many stars', '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x'],
    // Exponentially many states for an engine that builds its automaton.
    ['a letter far from the end', '(?:a|b)*a(?:a|b){200}'],
    ['nested far letters', '(?:(?:[ab]*a[ab]{60})*b)*'],
    ['far letters at word boundaries', String.raw`(?:\B|\b|[ab])*a[ab]{100}`],
    ['long letters of any alphabet', String.raw`(?:\p{L}*a\p{L}{100})*`],
    ['everything but', '(?:[^x]*a[^y]{100})*'],
  ])('%s', (_, pattern) => {
    const growth = coldGrowth(pattern, (length) => texts.get(length) ?? '')
    console.log(`growth of ${pattern}: ${growth.toFixed(1)}`)
    expect(growth).toBeLessThan(20)
  })

  const registry = readRegistry([
    ...seedRows,
    { type: 'tags', parent: 'multiselect', label: 'Tags', options: ['a'] },
    { type: 'member', label: 'Member', input: 'line', lane: 'inline', check: 'card' },
  ])

  test.each([
    ['email', (length: number) => 'a@'.repeat(length / 2)],
    ['email', (length: number) => `a@${'.a'.repeat(length / 2)} `],
    ['url', (length: number) => `https://a${'.a'.repeat(length / 2)} `],
    ['url', (length: number) => `${'a.'.repeat(length / 2)}!:`],
    ['number', (length: number) => `${'1'.repeat(length)}x`],
    ['number', (length: number) => `1${' '.repeat(length)}x`],
    ['float', (length: number) => `1.${'1'.repeat(length)}e`],
    ['phone', (length: number) => '( '.repeat(length / 2)],
    ['member', (length: number) => '- 1'.repeat(length / 3)],
    ['date', (length: number) => '2024-'.repeat(length / 5)],
    ['tags', (length: number) => `[${'"a",'.repeat(length / 4)}"b"]`],
    ['address', (length: number) => `{${Array.from({ length: length / 10 }, (_, at) => `"k${at}":1`).join(',')}}`],
    ['document', (length: number) => `{"file":"data:a/b;base64,${'A'.repeat(length)}*"}`],
    ['document', (length: number) => `{"mime_type":"${'a'.repeat(length)}"}`],
    ['address', (length: number) => '{"a":'.repeat(length / 5)],
  ])('a hostile %s', (type, write) => {
    const values = new Map([5000, 50_000].map((length) => [length, write(length)]))
    const growth = growthForTenfold((length) => {
      validateValue(registry, type, values.get(length))
    })
    expect(growth).toBeLessThan(20)
  })
})

describe('a validation run has a budget', () => {
  const rows = (validation: string, depth: number) =>
    Array.from({ length: depth }, (_, level) => ({
      type: `t${level}`,
      label: 'T',
      parent: level === 0 ? 'text' : `t${level - 1}`,
      validation: `${validation}|x{0,${level}}`,
    }))

  test('a value longer than 65,536 characters is not matched, only refused', () => {
    const registry = readRegistry([...seedRows, ...rows('[ab!]*', 1)])
    expect(validateValue(registry, 't0', 'a'.repeat(65_536)).ok).toBe(true)
    expect(validateValue(registry, 't0', 'a'.repeat(65_537))).toEqual({
      ok: false,
      refusal: [{ path: [], reason: 'too_long' }],
    })
  })

  test('a large regex on a long value is refused before it runs', () => {
    const registry = readRegistry([...seedRows, ...rows('(?:[ab]{0,999}[ab]{0,999})*', 1)])
    expect(validateValue(registry, 't0', 'ab'.repeat(500)).ok).toBe(true)
    expect(validateValue(registry, 't0', 'ab'.repeat(25_000)).ok).toBe(false)
  })

  test('the regexes of all ancestors share it', () => {
    const registry = readRegistry([...seedRows, ...rows('[ab]{0,100}[ab]*', 20)])
    const text = 'ab'.repeat(25_000)
    expect(validateValue(registry, 't0', text).ok).toBe(true)
    expect(validateValue(registry, 't19', text)).toMatchObject({ refusal: [{ reason: 'too_long' }] })
  })
})

/** Each measurement compiles its own pattern, since a second match would reuse the states of the first. */
function coldGrowth(pattern: string, text: (length: number) => string): number {
  const small = [0, 1, 2].map((round) => coldTime(`${pattern}|s${round}`, text(5000)))
  const large = [0, 1].map((round) => coldTime(`${pattern}|l${round}`, text(50_000)))
  return Math.min(...large) / Math.min(...small)
}

/** Processor time in microseconds, at least one millisecond: less is noise. */
function coldTime(source: string, text: string): number {
  const compiled = compilePattern(source)
  if (!compiled.ok) throw new Error(`${source} is refused: ${compiled.refusal}`)
  const start = process.cpuUsage()
  compiled.value.matches(text)
  const { user, system } = process.cpuUsage(start)
  return Math.max(user + system, 1000)
}
