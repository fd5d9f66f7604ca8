import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mutantsOf } from './find-mutants.ts'
import { readImports } from './imports.ts'
import { formatSummary, formatSurvivor, type Outcome } from './report.ts'
import { takeSample } from './sample.ts'
import { chooseTests, reachingTests } from './tests-of.ts'

describe('the sample', () => {
  const all = Array.from({ length: 100 }, (_, index) => ({ key: `file.ts:${index}` }))

  test('is the same for the same seed, whatever order the mutants are found in', () => {
    expect(takeSample(all.toReversed(), '1', 20)).toEqual(takeSample(all, '1', 20))
    expect(takeSample(all, '2', 20)).not.toEqual(takeSample(all, '1', 20))
  })

  test('contains a smaller one, and is everything when there is no more', () => {
    expect(takeSample(all, '1', 30).slice(0, 10)).toEqual(takeSample(all, '1', 10))
    expect(takeSample(all, '1', 1000)).toHaveLength(100)
  })
})

describe('a mutant', () => {
  const changed = (text: string, file = 'pure/x/src/a.ts') => mutantsOf(file, text).map((mutant) => mutant.text)

  test.each([
    ['f(a && b && c)', ['f((a && b || c))', 'f((a || b) && c)']],
    ['f(a < 3)', ['f((a <= 3))', 'f((a >= 3))', 'f(a < 4)']],
    ["f(a + 'A sentence.' + b, a + b)", ["f(a + 'A sentence.' + b, (a - b))"]],
    ['if (a) b()', ['if (true) b()', 'if (false) b()']],
    ['while (a) b()', ['while (false) b()']],
    ['f(!a)', ['f(a)']],
    ['f(a?.b)', ['f(a.b)']],
    ['f(a.some(b))', ['f(a.every(b))']],
    ["f('key', 'A sentence.')", ["f('', 'A sentence.')"]],
    ['f({ a: [true] })', ['f({})', 'f({ a: [] })', 'f({ a: [false] })']],
    ["import { a } from 'b'\nexport { c } from 'd'", []],
    ["type A = 'b' | 'c'\nlet a: 1 | null", []],
  ])('of %s', (text, expected) => {
    expect(changed(text)).toEqual(expected)
  })

  test('is none of the tables of the contract, but of their conditions', () => {
    const text = "f({ a: ['b', 3] })\nif (c) d()"
    expect(changed(text, 'pure/protocol/src/errors/a.ts')).toEqual([
      text.replace('(c)', '(true)'),
      text.replace('(c)', '(false)'),
    ])
  })

  test('knows its line', () => {
    expect(mutantsOf('pure/x/src/a.ts', 'f()\nf(true)')).toMatchObject([
      { line: 2, original: 'true', replacement: 'false' },
    ])
  })
})

describe('the tests of a file', () => {
  const imports = new Map([
    ['pure/x/src/a.test.ts', ['pure/x/src/index.ts']],
    ['pure/x/src/b.test.ts', ['pure/x/src/b.ts']],
    ['pure/x/src/index.ts', ['pure/x/src/a.ts', 'pure/x/src/b.ts']],
    ['pure/y/src/y.test.ts', ['pure/x/src/a.ts']],
    ['pure/x/src/growth.test.ts', ['pure/x/src/a.ts']],
    ['apps/z/src/z.live.test.ts', ['pure/x/src/a.ts']],
  ])

  test('import it, also through others; those of its package come first, live tests never', () => {
    expect(reachingTests(imports, 'pure/x/src/a.ts')).toEqual(['pure/x/src/a.test.ts', 'pure/y/src/y.test.ts'])
    expect(reachingTests(imports, 'pure/x/src/b.ts')).toEqual(['pure/x/src/b.test.ts', 'pure/x/src/a.test.ts'])
    expect(reachingTests(imports, 'pure/x/src/c.ts')).toEqual([])
  })

  test('take a few seconds together, but the closest is run however long it takes', () => {
    const durations = new Map(Object.entries({ long: 16_000, short: 10, other: 20 }))
    expect(chooseTests('apps/x/src/rules/a.ts', ['long', 'short'], durations).tests).toEqual(['long'])
    expect(chooseTests('apps/x/src/rules/a.ts', ['short', 'long', 'failing', 'other'], durations).tests).toEqual([
      'short',
      'other',
    ])
    expect(chooseTests('apps/x/src/rules/a.ts', ['long'], durations).limitMs).toBeGreaterThan(16_000)
  })

  test('are all those of a pure package, and of others what is left of the time', () => {
    const own = ['pure/x/src/a.test.ts', 'pure/x/src/b.test.ts']
    const durations = new Map([...own, 'pure/y/src/y.test.ts'].map((path) => [path, 10_000]))
    expect(chooseTests('pure/x/src/a.ts', [...durations.keys()], durations).tests).toEqual(own)
  })

  test('are found through names of a package that stand for many files', () => {
    const vectors = readImports(join(import.meta.dirname, '../../..')).get('pure/flow/src/vectors.test.ts')
    expect(vectors).toContain('testkit/src/vectors/flow.ts')
  })
})

test('the report counts what no test reaches as not killed', () => {
  const verdict = (file: string, outcome: Outcome) => ({
    outcome,
    mutant: { file, line: 3, kind: 'BlockStatement', original: '{\n  return 1\n}', replacement: '{}' },
  })
  const verdicts = [
    verdict('pure/x/src/a.ts', 'killed'),
    verdict('pure/x/src/b.ts', 'timeout'),
    verdict('apps/z/rules/c.ts', 'survived'),
    verdict('apps/z/rules/c.ts', 'unreached'),
  ]
  expect(formatSummary(verdicts)).toEqual([
    '  0.0 % killed: 0 of 2, 1 reached by no unit test  apps/z/rules',
    '100.0 % killed: 2 of 2  pure/x/src',
    ' 50.0 % killed: 2 of 4, 1 reached by no unit test  all; the survivors are in .local/mutants/survivors.txt',
  ])
  expect(verdicts.map(formatSurvivor)).toEqual([
    null,
    null,
    'apps/z/rules/c.ts:3 survived BlockStatement: { return 1 } -> {}',
    'apps/z/rules/c.ts:3 unreached BlockStatement: { return 1 } -> {}',
  ])
})
