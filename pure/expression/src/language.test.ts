import { describe, expect, test } from 'vitest'
import {
  answersFrom,
  boundRefuses,
  computeConstants,
  evaluateCondition,
  evaluateExpression,
  formatValue,
  inferType,
  nextDraft,
  parseCondition,
  parseConstant,
  parseConstants,
  parseExpression,
} from './index.ts'
import type { MathOp } from './syntax.ts'

const REFERENCE_DATE = '2026-07-01'

const number = (value: number) => ({ type: 'lit', value_type: 'number', value })
const text = (value: string) => ({ type: 'lit', value_type: 'text', value })
const date = (value: string) => ({ type: 'lit', value_type: 'date', value })
const ref = (key: string) => ({ type: 'ref', key })
const math = (op: MathOp, ...args: unknown[]) => ({ type: 'math', op, args })
const since = (unit: string, from: string, to: string) => ({ type: 'datediff', unit, from: date(from), to: date(to) })
const constant = (key: string, expr: unknown) => ({ key, label: '', result_type: 'number', expr, shown_on: [] })

const evaluate = (expression: unknown, answers = {}) =>
  evaluateExpression(expression, answersFrom(answers), REFERENCE_DATE)
const compute = (constants: unknown, answers = {}, pluginSlugs: string[] = []) =>
  computeConstants(constants, answersFrom(answers), REFERENCE_DATE, pluginSlugs)

describe('a constant', () => {
  const whole = { key: 'age', label: 'Age', result_type: 'number', expr: number(1), shown_on: ['start'] }

  test('has key, label, result_type, expr and shown_on; its key is that of nothing else [EXPR-01]', () => {
    expect(parseConstant(whole)).toEqual({ ok: true, value: whole })
    expect(parseConstant({ ...whole, key: 'Age' })).toMatchObject({ refusal: { reason: 'key_invalid', path: ['key'] } })
    const { constants, problems } = parseConstants([whole, whole, { ...whole, key: 'slug' }], new Set(['slug']))
    expect(constants).toEqual([whole])
    expect(problems).toMatchObject([
      { reason: 'key_duplicate', path: [1, 'key'] },
      { reason: 'key_duplicate', path: [2, 'key'] },
    ])
  })

  test('is a number, text, date or boolean; a date is YYYY-MM-DD [EXPR-02]', () => {
    const types = ['number', 'text', 'date', 'boolean', 'money', null]
    const accepted = types.filter((result_type) => parseConstant({ ...whole, result_type }).ok)
    expect(accepted).toEqual(['number', 'text', 'date', 'boolean'])
    const days = ['2026-07-01', '01-07-2026', '2026-7-1', '2026-02-30']
    expect(days.filter((day) => parseExpression(date(day)).ok)).toEqual(['2026-07-01'])
  })

  test('is internal to the flow when shown_on is empty or left out [EXPR-03]', () => {
    const { shown_on: _, ...hidden } = whole
    expect(parseConstant(hidden)).toMatchObject({ value: { shown_on: [] } })
    expect(parseConstant({ ...whole, shown_on: 'start' })).toMatchObject({ refusal: { reason: 'shown_on_invalid' } })
  })

  test('is computed beside the answers, in any order of declaration [EXPR-11]', () => {
    const declared = [constant('c', math('add', ref('b'), number(1))), constant('b', math('mul', ref('a'), number(2)))]
    const expected = answersFrom({ a: 5, b: 10, c: 11 })
    expect(compute(declared, { a: 5 })).toEqual(expected)
    expect(compute(declared.toReversed(), { a: 5 })).toEqual(expected)
  })

  test('is shown as plain text: dates as they are, true and false as words, numbers not localised [EXPR-31]', () => {
    const shown = ['2026-07-01', true, false, 1234567.5, -0, null].map(formatValue)
    expect(shown).toEqual(['2026-07-01', 'true', 'false', '1234567.5', '0', ''])
  })
})

describe('an expression', () => {
  test('lit is its literal [EXPR-04]', () => {
    const literals = [number(4.5), text('a'), date('2026-01-01'), { type: 'lit', value_type: 'boolean', value: false }]
    expect(literals.map((literal) => evaluate(literal))).toEqual([4.5, 'a', '2026-01-01', false])
  })

  test('ref reads a field, a dotted plugin key or a constant, and is null where there is none [EXPR-05]', () => {
    const answers = { slug: 'x', 'cao.min_wage': 9.5 }
    const constants = [
      constant('one', ref('slug')),
      constant('two', ref('cao.min_wage')),
      constant('three', ref('one')),
    ]
    expect(compute([...constants, constant('four', ref('nowhere'))], answers)).toEqual(
      answersFrom({ ...answers, one: 'x', two: 9.5, three: 'x', four: null }),
    )
  })

  test('today is the reference date of the run, not the current day [EXPR-06]', () => {
    expect(evaluateExpression({ type: 'today' }, new Map(), '1999-12-31')).toBe('1999-12-31')
  })

  test('if gives the branch of the first case that holds, else the required else [EXPR-07]', () => {
    // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
    const above = (value: number, label: string) => ({ when: { field: 'n', op: 'gt', value }, then: text(label) })
    const sizes = { type: 'if', cases: [above(100, 'large'), above(10, 'medium')], else: text('small') }
    expect([500, 50, 5].map((n) => evaluate(sizes, { n }))).toEqual(['large', 'medium', 'small'])
    const { else: _, ...open } = sizes
    expect(parseExpression(open)).toMatchObject({ ok: false, refusal: { path: ['else'] } })
  })

  test('concat joins parts as text, null as empty text, without a separator unless one is given [EXPR-08]', () => {
    const parts = [number(5), ref('gone'), text('x')]
    expect(evaluate({ type: 'concat', parts })).toBe('5x')
    expect(evaluate({ type: 'concat', parts, sep: '-' })).toBe('5--x')
  })

  test('datediff takes days, weeks, months and years and gives a number [EXPR-09]', () => {
    const units = ['days', 'weeks', 'months', 'years']
    expect(units.map((unit) => evaluate(since(unit, '2024-01-01', '2026-07-01')))).toEqual([912, 130, 30, 2])
    expect(parseExpression(since('hours', '2024-01-01', '2026-07-01')).ok).toBe(false)
  })

  test('math takes twelve operators and gives a number [EXPR-10]', () => {
    const two = (['add', 'sub', 'mul', 'div', 'mod', 'max', 'min'] as const).map((op) =>
      evaluate(math(op, number(7.5), number(2))),
    )
    expect(two).toEqual([9.5, 5.5, 15, 3.75, 1.5, 7.5, 2])
    const one = (['round', 'floor', 'ceil', 'abs', 'neg'] as const).map((op) => evaluate(math(op, number(-7.5))))
    expect(one).toEqual([-8, -8, -7, 7.5, 7.5])
  })

  test('a missing operand is null, and null propagates [EXPR-12]', () => {
    const gone = ref('gone')
    expect(evaluate(math('add', number(1), math('neg', gone)))).toBeNull()
    expect(evaluate({ type: 'datediff', unit: 'days', from: gone, to: { type: 'today' } })).toBeNull()
  })
})

describe('datediff', () => {
  test('reads calendar dates without zones; anything else gives null [EXPR-13]', () => {
    expect(evaluate(since('days', '2026-03-28', '2026-03-30'))).toBe(2)
    expect(evaluate(since('days', '2026-02-30', '2026-03-30'))).toBeNull()
    expect(evaluate(since('days', '2026-03-28T00:00:00Z', '2026-03-30'))).toBeNull()
  })

  test('is negative when the end comes first [EXPR-14]', () => {
    expect(evaluate(since('days', '2026-07-10', '2026-07-01'))).toBe(-9)
    expect(evaluate(since('years', '2026-07-01', '2020-07-01'))).toBe(-6)
  })

  test('counts whole days, and weeks of seven, cut towards zero [EXPR-15]', () => {
    expect(evaluate(since('days', '2024-02-01', '2024-03-01'))).toBe(29)
    expect(evaluate(since('weeks', '2026-07-01', '2026-07-14'))).toBe(1)
    expect(evaluate(since('weeks', '2026-07-14', '2026-07-01'))).toBe(-1)
  })

  test('counts months, one less before the day of the month [EXPR-16]', () => {
    expect(evaluate(since('months', '2025-11-15', '2026-02-15'))).toBe(3)
    expect(evaluate(since('months', '2025-11-15', '2026-02-14'))).toBe(2)
  })

  test('counts years, one less before the day of the year [EXPR-17]', () => {
    expect(evaluate(since('years', '1990-07-01', '2026-07-01'))).toBe(36)
    expect(evaluate(since('years', '1990-07-02', '2026-07-01'))).toBe(35)
  })
})

describe('math', () => {
  const typeOf = () => null
  const inferred = (expression: unknown) => {
    const parsed = parseExpression(expression)
    return parsed.ok && inferType(parsed.value, typeOf).ok
  }

  test('reads numeric text; a boolean is no number [EXPR-18]', () => {
    expect(evaluate(math('add', ref('n'), number(1)), { n: ' 9.5 ' })).toBe(10.5)
    expect(evaluate(math('add', ref('n'), number(1)), { n: true })).toBeNull()
  })

  test('is null with a null argument, except for max and min [EXPR-19]', () => {
    const ops = ['add', 'sub', 'mul', 'div', 'mod', 'max', 'min'] as const
    const results = ops.map((op) => evaluate(math(op, number(4), ref('gone'))))
    expect(results).toEqual([null, null, null, null, null, 4, 4])
  })

  test('adds and multiplies any number of arguments, of which publishing requires two; sub takes two [EXPR-20]', () => {
    const four = [number(1), number(2), number(3), number(4)]
    expect([evaluate(math('add', ...four)), evaluate(math('mul', ...four))]).toEqual([10, 24])
    expect([evaluate(math('add')), evaluate(math('mul')), evaluate(math('add', number(3)))]).toEqual([0, 1, 3])
    expect(evaluate(math('sub', number(10), number(3)))).toBe(7)
    expect([math('add', number(1)), math('mul'), math('sub', ...four)].map(inferred)).toEqual([false, false, false])
    expect([math('add', ...four), math('sub', number(1), number(2))].map(inferred)).toEqual([true, true])
  })

  test('is null when divided by zero [EXPR-21]', () => {
    expect(evaluate(math('div', number(5), number(0)))).toBeNull()
    expect(evaluate(math('mod', number(5), number(0)))).toBeNull()
  })

  test('is null beyond the numbers that can be held [EXPR-22]', () => {
    expect(evaluate(math('mul', number(1e308), number(10)))).toBeNull()
    expect(evaluate(math('neg', text('1e999')))).toBeNull()
  })

  test('rounds half away from zero [EXPR-23]', () => {
    const halves = [2.5, -2.5, 0.5, -0.5, 0.49999999999999994, 1e300]
    expect(halves.map((value) => evaluate(math('round', number(value))))).toEqual([3, -3, 1, -1, 0, 1e300])
  })

  test.each(['neg', 'abs', 'round', 'floor', 'ceil'] as const)('%s takes one argument [EXPR-24]', (op) => {
    expect(evaluate(math(op))).toBeNull()
    const counts = [[], [number(1)], [number(1), number(2)]].map((args) => inferred(math(op, ...args)))
    expect(counts).toEqual([false, true, false])
  })

  test('max and min skip values that are not numbers, and are null without one [EXPR-25]', () => {
    const mixed = [
      ref('gone'),
      text('abc'),
      { type: 'lit', value_type: 'boolean', value: true },
      text('9.5'),
      number(3),
    ]
    expect([evaluate(math('max', ...mixed)), evaluate(math('min', ...mixed))]).toEqual([9.5, 3])
    expect([evaluate(math('max', text('abc'))), evaluate(math('min'))]).toEqual([null, null])
    expect([inferred(math('max')), inferred(math('max', number(1)))]).toEqual([false, true])
  })
})

describe('a condition', () => {
  test('is a tree of leaves {field, op, value} under and, or and not [FLOW-07]', () => {
    const isAdult = { field: 'age', op: 'ge', value: 18 }
    const isMember = { field: 'member', op: 'eq', value: true }
    const tree = {
      op: 'and',
      children: [isAdult, { op: 'or', children: [isMember, { op: 'not', children: [isMember] }] }],
    }
    expect(parseCondition(tree)).toEqual({ ok: true, value: tree })
    expect(evaluateCondition(tree, answersFrom({ age: '18' }))).toBe(true)
    expect(evaluateCondition({ op: 'not', children: [tree] }, answersFrom({ age: 18, member: true }))).toBe(false)
  })

  test('names constants as well as fields [EXPR-26]', () => {
    const values = compute([constant('total', math('mul', ref('n'), number(5)))], { n: 3 })
    expect(evaluateCondition({ field: 'total', op: 'eq', value: 15 }, values)).toBe(true)
    expect(evaluateCondition({ field: 'n', op: 'eq', value: 3 }, values)).toBe(true)
  })

  test('sees the parts of plugin answers [EXPR-27]', () => {
    const blocks = [{ key: 'scale', kind: 'search_select', label: 'Scale', id: 'c', value: 'Scale C' }]
    const cao = JSON.stringify({ plugin: 'P', type: 'cao', blocks, outputs: [{ key: 'wage', value: 14.2 }] })
    const values = compute([constant('doubled', math('mul', ref('cao.wage'), number(2)))], { cao }, ['cao'])
    expect(evaluateCondition({ field: 'cao.scale.id', op: 'eq', value: 'c' }, values)).toBe(true)
    expect(values.get('doubled')).toBe(28.4)
  })
})

describe('a default', () => {
  const empty = { value: '', written: null, isLinked: false }

  test('fills a field that is empty, has no draft, no saved value and no link [EXPR-33]', () => {
    expect(nextDraft(empty, 'Ada', 'text')).toEqual({ value: 'Ada', written: 'Ada', isLinked: false })
    const saved = { ...empty, value: 'Bob' }
    const linked = { ...empty, isLinked: true }
    expect([nextDraft(saved, 'Ada', 'text'), nextDraft(linked, 'Ada', 'text')]).toEqual([saved, linked])
  })

  test('is followed until the party edits the value [EXPR-34]', () => {
    const filled = nextDraft(empty, 10, 'number')
    const followed = nextDraft(filled, 12, 'number')
    expect(followed.value).toBe('12')
    const edited = { ...followed, value: '11' }
    expect(nextDraft(edited, 15, 'number')).toEqual(edited)
    const cleared = { ...followed, value: '' }
    expect(nextDraft(cleared, 15, 'number')).toEqual(cleared)
  })

  test('is rounded to two decimals in a decimal field, ties away from zero [EXPR-35]', () => {
    const filled = [1.005, -1.005, 2.675, 12.5, 9.999].map((value) => nextDraft(empty, value, 'decimal').value)
    expect(filled).toEqual(['1.01', '-1.01', '2.68', '12.5', '10'])
    expect(nextDraft(empty, 1.005, 'number').value).toBe('1.005')
  })
})

describe('a bound', () => {
  test('refuses what lies outside; dates compare as dates [EXPR-36]', () => {
    expect(['9.99', '10', 10.5].map((value) => boundRefuses('min', 10, value))).toEqual([true, false, false])
    expect(['9.99', '10', 10.5].map((value) => boundRefuses('max', 10, value))).toEqual([false, false, true])
    expect(boundRefuses('min', '2026-07-01', '2026-06-30')).toBe(true)
    expect(boundRefuses('max', '2026-07-01', ' 2026-07-01 ')).toBe(false)
  })

  test('that evaluates to null is ignored [EXPR-37]', () => {
    expect(boundRefuses('min', evaluate(ref('gone')), '-1000')).toBe(false)
    expect(boundRefuses('max', null, '2999-01-01')).toBe(false)
  })
})
