import { growthForTenfold } from '@sealpost/testkit/growth'
import { describe, expect, test } from 'vitest'
import {
  computeConstants,
  evaluateCondition,
  evaluateExpression,
  isPrivateKey,
  keysReadBy,
  MAX_JOINED_LENGTH,
  MAX_TEXT_LENGTH,
  parseCondition,
  parseExpression,
} from './index.ts'

const FAR_TOO_DEEP = 50_000

const one = { type: 'lit', value_type: 'number', value: 1 }
const nested = (levels: number) => {
  let expression: unknown = one
  for (let level = 1; level < levels; level += 1) expression = { type: 'math', op: 'neg', args: [expression] }
  return expression
}
const nestedCondition = (levels: number) => {
  let condition: unknown = { field: 'a', op: 'answered' }
  for (let level = 1; level < levels; level += 1) condition = { op: 'not', children: [condition] }
  return condition
}

describe('a published expression', () => {
  test('nests at most 64 levels, conditions included [LIMIT-07]', () => {
    expect(parseExpression(nested(64)).ok).toBe(true)
    expect(parseExpression(nested(65))).toMatchObject({ refusal: { reason: 'too_deep' } })
    expect(parseCondition(nestedCondition(64)).ok).toBe(true)
    expect(parseCondition(nestedCondition(65))).toMatchObject({ refusal: { reason: 'too_deep' } })
    const withCondition = (levels: number) => ({
      type: 'if',
      // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
      cases: [{ when: nestedCondition(levels), then: one }],
      else: one,
    })
    expect(parseExpression(withCondition(63)).ok).toBe(true)
    expect(parseExpression(withCondition(64))).toMatchObject({ refusal: { reason: 'too_deep' } })
  })

  test('has at most 2,000 parts, and a longer list is not read to its end', () => {
    const wide = (parts: number) => ({ type: 'concat', parts: Array.from({ length: parts - 1 }, () => one) })
    expect(parseExpression(wide(2000)).ok).toBe(true)
    const refused = parseExpression(wide(1_000_000))
    expect(refused).toMatchObject({ refusal: { reason: 'too_deep', path: ['parts', 1999] } })
  })
})

describe('evaluators, on unpublished input', () => {
  test('accept any depth', () => {
    expect(evaluateExpression(nested(FAR_TOO_DEEP + 1), new Map(), '')).toBe(1)
    expect(evaluateCondition(nestedCondition(FAR_TOO_DEEP + 1), new Map())).toBe(false)
    expect(keysReadBy(nestedCondition(FAR_TOO_DEEP))).toEqual(['a'])
    expect(parseExpression(nested(FAR_TOO_DEEP)).ok).toBe(false)
  })

  test('accept a long chain of constants', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `c${index}`)
    const constants = keys.map((key, index) => ({ key, expr: { type: 'ref', key: `c${index + 1}` } }))
    const answers = new Map([['c20000', 'end']])
    expect(computeConstants(constants, answers, '').get('c0')).toBe('end')
    const view = {
      constants: new Map(constants.map(({ key, expr }) => [key, expr])),
      drafts: new Map(),
      privateSlugs: new Set(['c20000']),
      privateDrafts: new Set<string>(),
      ownSlugs: new Set<string>(),
    }
    expect(isPrivateKey('c0', view)).toBe(true)
  })

  test('compute a constant once, however many paths lead to it', () => {
    const constants = Array.from({ length: 200 }, (_, index) => {
      const next = { type: 'ref', key: `c${index + 1}` }
      return { key: `c${index}`, expr: { type: 'math', op: 'max', args: [next, next] } }
    })
    let reads = 0
    const answers = new (class extends Map<string, unknown> {
      override get(key: string): unknown {
        reads += key === 'c200' ? 1 : 0
        return super.get(key)
      }
    })([['c200', 7]])
    expect(computeConstants(constants, answers, '').get('c0')).toBe(7)
    expect(reads).toBeLessThanOrEqual(2)
  })

  test('stop text that doubles with every constant', () => {
    const constants = Array.from({ length: 100 }, (_, index) => {
      const next = { type: 'ref', key: `c${index + 1}` }
      return { key: `c${index}`, expr: { type: 'concat', parts: [next, next] } }
    })
    const values = computeConstants(constants, new Map([['c100', 'x']]), '')
    expect(values.get('c80')).toHaveLength(MAX_TEXT_LENGTH)
    expect(values.get('c79')).toBeNull()
    expect(values.get('c78')).toBe('')
  })

  test('stop a long answer that is joined into every constant', () => {
    const long = 'x'.repeat(1_000_000)
    const constants = Array.from({ length: 500 }, (_, index) => ({
      key: `c${index}`,
      expr: {
        type: 'concat',
        parts: [
          { type: 'ref', key: 'nick' },
          { type: 'lit', value: 'x' },
        ],
      },
    }))
    const values = computeConstants(constants, new Map([['nick', long]]), '')
    const texts = constants.flatMap(({ key }) => values.get(key) ?? [])
    expect(texts).toEqual(Array.from({ length: 4 }, () => `${long}x`))
    expect(4 * (long.length + 1)).toBeLessThanOrEqual(MAX_JOINED_LENGTH)
    expect(computeConstants(constants, new Map([['nick', 'Bo']]), '').get('c499')).toBe('Box')
  })

  test('accept objects that contain themselves and lists that appear twice', () => {
    const loop: Record<string, unknown> = { type: 'math', op: 'add', args: [one] }
    loop['args'] = [one, loop]
    expect(evaluateExpression(loop, new Map(), '')).toBeNull()
    let shared: unknown = one
    for (let level = 0; level < 100; level += 1) shared = { type: 'math', op: 'max', args: [shared, shared] }
    expect(evaluateExpression(shared, new Map(), '')).toBe(1)
    expect(parseExpression(shared).ok).toBe(false)
  })
})

describe('ten times the input takes about ten times as long', () => {
  const leaf = (op: string, value: unknown) => ({ field: 'a', op, value })
  const answered = (answer: unknown) => new Map([['a', answer]])
  const characters: Record<string, (size: number) => void> = {
    'a needle that nearly occurs everywhere': (size) => {
      const half = 'a'.repeat(size / 4)
      evaluateCondition(leaf('contains', `${half}b${half}`), answered('a'.repeat(size)))
    },
    'digits that end in a letter': (size) => evaluateCondition(leaf('eq', 5), answered(`${'1'.repeat(size)}x`)),
    'spaces between letters': (size) => evaluateCondition(leaf('eq', 5), answered(`x${' '.repeat(size)}x`)),
    'digits and points': (size) => evaluateCondition(leaf('eq', 5), answered(`${'1.'.repeat(size / 2)}e`)),
  }
  const nodes: Record<string, (size: number) => void> = {
    'a wide group': (size) =>
      evaluateCondition({ op: 'and', children: Array.from({ length: size }, () => leaf('ne', 1)) }, answered(2)),
    'a deep group': (size) => evaluateCondition(nestedCondition(size), new Map()),
    'a deep expression': (size) => evaluateExpression(nested(size), new Map(), ''),
    'a long chain of constants': (size) =>
      computeConstants(
        Array.from({ length: size }, (_, index) => ({ key: `c${index}`, expr: { type: 'ref', key: `c${index + 1}` } })),
        new Map(),
        '',
      ),
  }

  test.each(Object.entries(characters))('%s', (_, run) => {
    expect(growthForTenfold(run)).toBeLessThan(25)
  })

  test.each(Object.entries(nodes))('%s', (_, run) => {
    expect(growthForTenfold(run, 500)).toBeLessThan(25)
  })
})
