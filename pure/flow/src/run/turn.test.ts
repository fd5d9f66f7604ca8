import { answersFrom } from '@sealpost/expression'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import { describe, expect, test } from 'vitest'
import {
  checkAnswer,
  describeTurn,
  parseDefinition,
  privacyView,
  turnProblems,
  type Definition,
  type Turn,
} from '../index.ts'

const field = (slug: string, members: object = {}) => ({ kind: 'field', slug, field_type: 'text', ...members })
const is = (key: string, value: unknown) => ({ field: key, op: 'eq', value })
const literal = (value: unknown, value_type = 'number') => ({ type: 'lit', value_type, value })

function read(elements: readonly unknown[], constants: readonly unknown[] = []): Definition {
  const parsed = parseDefinition({
    entry: 'start',
    output_mode: 'data_only',
    parties: [{ key: 'us' }, { key: 'them' }],
    nodes: [
      { key: 'start', party: 'us', elements },
      { key: 'other', party: 'them', elements: [field('later', { default: literal('x', 'text') })] },
    ],
    constants,
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  return parsed.value
}

function turnOf(
  elements: readonly unknown[],
  answers: Record<string, unknown> = {},
  constants: readonly unknown[] = [],
): Turn {
  const facts = { answers: answersFrom(answers), referenceDate: '2026-03-01' }
  const turn = describeTurn(read(elements, constants), 'start', facts)
  if (turn === null) throw new Error('there is no such step')
  return turn
}

const problemsOf = (elements: readonly unknown[], answers: Record<string, unknown>) =>
  turnProblems(turnOf(elements, answers)).map(({ slug, reason }) => `${slug} ${reason}`)

describe('a step', () => {
  test('that does not exist has no turn', () => {
    expect(describeTurn(read([]), 'nowhere', { answers: answersFrom({}), referenceDate: '2026-03-01' })).toBeNull()
  })

  test('says what may and what must be answered, and shows the rest', () => {
    const turn = turnOf([field('a', { required: true }), { kind: 'text', body: 'Hello' }, field('b')])
    expect([turn.node.key, turn.elements.length, turn.allowed, turn.required]).toEqual(['start', 3, ['a', 'b'], ['a']])
  })

  test('does not read the answer of an element that it hides', () => {
    const chain = [
      field('a'),
      field('b', { show_if: is('a', 'yes') }),
      field('c', { show_if: is('b', 'yes') }),
      field('d', { show_if: is('c', 'yes'), required: true }),
    ]
    const all = { a: 'no', b: 'yes', c: 'yes', d: 'yes' }
    expect(turnOf(chain, all).allowed).toEqual(['a'])
    expect([...turnOf(chain, all).values]).toEqual([['a', 'no']])
    expect(turnOf(chain, { ...all, a: 'yes' }).allowed).toEqual(['a', 'b', 'c', 'd'])
    expect(turnOf(chain, { ...all, a: 'yes' }).required).toEqual(['d'])
  })

  test('gives the options that are open now, defaults and bounds', () => {
    const options = [{ value: 'x' }, { value: 'y', available_if: is('a', 'yes') }]
    const elements = [
      field('a'),
      field('b', { options }),
      field('c', { default: literal(7), min: literal(1), max: literal(9) }),
    ]
    const open = (answers: Record<string, unknown>) =>
      turnOf(elements, answers)
        .options.get('b')
        ?.map(({ value }) => value)
    expect([open({}), open({ a: 'yes' })]).toEqual([['x'], ['x', 'y']])
    const turn = turnOf(elements)
    expect([...turn.options.keys()]).toEqual(['b'])
    expect([...turn.defaults]).toEqual([['c', 7]])
    expect([...turn.bounds]).toEqual([['c', { min: 1, max: 9 }]])
    expect([...turnOf([field('c', { max: literal(9) })]).bounds.values()]).toMatchObject([{ max: 9 }])
    expect([...turnOf([field('c', { min: literal(1) })]).bounds.values()]).toMatchObject([{ min: 1 }])
  })

  test('shows its constants with their labels, pending ones without a text', () => {
    const expr = { type: 'ref', key: 'a' }
    const constants = [
      { key: 'k', label: 'Kay', result_type: 'text', expr, shown_on: ['start'] },
      { key: 'm', result_type: 'text', expr, shown_on: ['start', 'other'] },
      { key: 'n', result_type: 'text', expr, shown_on: ['other'] },
    ]
    expect(turnOf([field('a')], { a: 'red' }, constants).constants).toEqual([
      { key: 'k', label: 'Kay', text: 'red' },
      { key: 'm', label: 'm', text: 'red' },
    ])
    expect(turnOf([field('a')], {}, constants).constants[0]).toEqual({ key: 'k', label: 'Kay', text: null })
  })
})

describe('what is wrong with the answers of a step', () => {
  test('a required one is missing', () => {
    const elements = [
      field('a', { required: true }),
      field('b'),
      field('c', { required: true, show_if: is('b', 'yes') }),
    ]
    expect(problemsOf(elements, {})).toEqual(['a missing'])
    expect(problemsOf(elements, { a: 'x', b: 'yes' })).toEqual(['c missing'])
    expect(problemsOf(elements, { a: '', b: 'no' })).toEqual(['a missing'])
  })

  test('an option is closed, one or one of many', () => {
    const options = [{ value: 'x' }, { value: '[y]' }, { value: 'z', available_if: is('b', 'yes') }]
    const closed = (a: unknown, b = 'no') => problemsOf([field('b'), field('a', { options })], { a, b })
    expect(closed('x')).toEqual([])
    expect(closed('[y]')).toEqual([])
    expect(closed('q')).toEqual(['a option_closed'])
    expect(closed('z')).toEqual(['a option_closed'])
    expect(closed('z', 'yes')).toEqual([])
    expect(closed('["x","[y]"]')).toEqual([])
    expect(closed('["x","q"]')).toEqual(['a option_closed'])
    expect(closed('["x","z"]', 'yes')).toEqual([])
    expect(closed('[x')).toEqual(['a option_closed'])
    expect(closed('"x"')).toEqual(['a option_closed'])
    expect(closed(' ["x"]')).toEqual(['a option_closed'])
    expect(problemsOf([field('a')], { a: 'anything' })).toEqual([])
  })

  test('a number is outside of its bounds', () => {
    const bounded = field('a', { field_type: 'number', min: literal(3), max: literal(5) })
    const outside = (a: string) => problemsOf([bounded], { a })
    expect(['2', '3', '5', '6'].map(outside)).toEqual([['a below_min'], [], [], ['a above_max']])
    expect(problemsOf([field('a', { field_type: 'number' })], { a: '6' })).toEqual([])
  })

  test('all of it at once, by answer', () => {
    const options = [{ value: '4' }]
    const elements = [field('a', { options, min: literal(5) }), field('b', { required: true })]
    expect(problemsOf(elements, { a: '3' })).toEqual(['a option_closed', 'a below_min', 'b missing'])
  })
})

describe('an answer', () => {
  const types = buildRegistry(seedRows)
  const element = (members: object) => {
    const [first] = read([field('a', members)]).nodes[0]?.elements ?? []
    if (first?.kind !== 'field') throw new Error('not a field')
    return first
  }

  test('is checked by its type and by the options of the step', () => {
    const options = [{ value: 'x' }]
    expect(checkAnswer(types, element({ field_type: 'select', options }), 'x')).toEqual({ ok: true, value: null })
    expect(checkAnswer(types, element({ field_type: 'select', options }), 'q')).toMatchObject({
      ok: false,
      refusal: { reason: 'value_invalid', problems: [expect.anything()] },
    })
  })
})

test('the privacy view of a step holds its defaults and the slugs of the caller’s own steps', () => {
  const definition = read(
    [field('a', { default: literal(7) }), field('b')],
    [{ key: 'k', result_type: 'number', expr: literal(1) }],
  )
  const view = privacyView(definition, {
    nodeKey: 'start',
    parties: new Set(['them']),
    privateSlugs: null,
    privateDrafts: new Set(),
  })
  expect([...view.drafts]).toEqual([
    ['a', literal(7)],
    ['b', null],
  ])
  expect([[...view.ownSlugs], [...view.constants.keys()], view.privateSlugs]).toEqual([['later'], ['k'], null])
})
