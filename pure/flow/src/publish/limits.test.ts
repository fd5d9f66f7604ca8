import { buildRegistry, seedRows } from '@sealpost/field-types'
import { expect, test } from 'vitest'
import { checkForPublish, isPublishable, parseDefinition, type PublishFacts } from '../index.ts'

const facts: PublishFacts = {
  types: buildRegistry(seedRows),
  requestFields: new Map(),
  plugins: new Map(),
  templates: new Map(),
}
const one = { type: 'lit', value_type: 'number', value: 1 }

test('constants, defaults and bounds nest at most 64 levels [LIMIT-07]', () => {
  expect(findings({ expr: nested(64), default: nested(64), min: nested(64), max: nested(64) })).toEqual([])
  expect(findings({ expr: nested(65) })).toEqual(['constant.expr_too_deep'])
  expect(findings({ default: nested(65) })).toEqual(['field.expr_too_deep'])
  expect(findings({ min: nested(65) })).toEqual(['field.expr_too_deep'])
  expect(findings({ max: nested(65) })).toEqual(['field.expr_too_deep'])
})

test('the levels of a condition count with those of the expression that contains it', () => {
  // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
  const when = (levels: number) => ({ type: 'if', cases: [{ when: negated(levels), then: one }], else: one })
  expect(findings({ expr: when(63) })).toEqual([])
  expect(findings({ expr: when(64) })).toEqual(['constant.expr_too_deep'])
})

test('an expression has at most 2000 parts', () => {
  expect(findings({ expr: sum(1999), max: sum(1999) })).toEqual([])
  expect(findings({ expr: sum(2000) })).toEqual(['constant.expr_too_deep'])
  expect(findings({ max: sum(2000) })).toEqual(['field.expr_too_deep'])
})

test('findings are cut at 500, errors kept before warnings', () => {
  const elements = Array.from({ length: 200 }, () => ({ kind: 'text', body: '{{one}} {{two}} {{three}}' }))
  const nodes = [{ key: 'start', party: 'us', elements: [...elements.slice(1), { kind: 'video' }] }]
  const parsed = parseDefinition({ entry: 'start', output_mode: 'data_only', parties: [{ key: 'us' }], nodes })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  const found = checkForPublish(parsed.value, facts)
  expect(found).toHaveLength(500)
  expect(found.at(-1)?.error_key).toBe('element.kind_invalid')
  expect(isPublishable(found)).toBe(false)
})

test('every finding says what is wrong, where, and what to do', () => {
  const [found] = checkForPublish(definition({ expr: { type: 'ref', key: 'price' } }), facts)
  expect(found).toEqual({
    error_key: 'constant.ref_unknown',
    severity: 'error',
    path: '/constants/0/expr/key',
    message:
      'A constant reads something that does not exist in the flow: “price”. ' +
      'Point the reference at a field or constant of this flow.',
  })
})

function findings(written: { expr?: unknown; default?: unknown; min?: unknown; max?: unknown }): readonly string[] {
  return checkForPublish(definition(written), facts).map(({ error_key }) => error_key)
}

function definition({ expr = one, ...members }: { expr?: unknown; default?: unknown; min?: unknown; max?: unknown }) {
  const element = { kind: 'field', slug: 'amount', field_type: 'number', label: 'Amount', ...members }
  const parsed = parseDefinition({
    entry: 'start',
    output_mode: 'data_only',
    parties: [{ key: 'us' }],
    nodes: [{ key: 'start', party: 'us', elements: [element] }],
    constants: [{ key: 'total', result_type: 'number', expr, shown_on: ['start'] }],
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  return parsed.value
}

function nested(levels: number): unknown {
  return levels === 1 ? one : { type: 'math', op: 'neg', args: [nested(levels - 1)] }
}

function negated(levels: number): unknown {
  return levels === 1 ? { field: 'amount', op: 'answered' } : { op: 'not', children: [negated(levels - 1)] }
}

function sum(count: number): unknown {
  return { type: 'math', op: 'add', args: Array.from({ length: count }, () => one) }
}
