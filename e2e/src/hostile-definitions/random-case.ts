import type { Dice } from '@sealpost/testkit/dice'

/** A flow whose author wants an evaluation to be dear, and the values that the generating party hands over. */
export interface HostileCase {
  readonly kind: string
  readonly definition: (assetKey: string) => object
  readonly values: Readonly<Record<string, unknown>>
}

type Part = Pick<Shape, 'constants' | 'elements' | 'steps' | 'conditions'>

interface Shape {
  readonly constants: readonly object[]
  readonly elements: readonly object[]
  /** Beside the last one. */
  readonly steps: number
  /** Of rules before the one that matches. */
  readonly conditions: readonly object[]
  readonly nick: unknown
}

const NOTHING: Part = { constants: [], elements: [], steps: 0, conditions: [] }

const ref = (key: string) => ({ type: 'ref', key })
const text = (value: string) => ({ type: 'lit', value_type: 'text', value })
const concat = (...parts: readonly object[]) => ({ type: 'concat', parts, sep: '' })
const constant = (key: string, expr: object, result_type = 'text') => ({
  key,
  label: '',
  result_type,
  expr,
  shown_on: [],
})
const field = (slug: string, more: object = {}) => ({
  kind: 'field',
  slug,
  field_type: 'text',
  label: slug,
  required: false,
  ...more,
})
const leaf = (name: string, op: string, value: unknown) => ({ field: name, op, value })
const times = <Item>(count: number, make: (at: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, at) => make(at))

function longText(dice: Dice): string {
  const unit = dice.pick(['x', 'é', '€', '1', ' ', '\u0001', '"', '😀', 'ab'])
  const length = dice.pick([0, 100, 30_000, 200_000, 1_000_000, 1_500_000])
  return unit.repeat(Math.ceil(length / Buffer.byteLength(unit)))
}

/** Each makes one cost large; a case takes the sizes by the dice. */
const KINDS: Readonly<Record<string, (dice: Dice) => Shape>> = {
  'a value in every constant': (dice) => ({
    ...NOTHING,
    constants: times(dice.pick([50, 250, 500]), (at) =>
      constant(`c${at}`, at % 2 === 0 ? ref('nick') : concat(ref('nick'), text('x'))),
    ),
    nick: longText(dice),
  }),
  'constants that double': (dice) => ({
    ...NOTHING,
    constants: times(dice.pick([20, 100, 500]), (at) => {
      const before = ref(at === 0 ? 'nick' : `c${at - 1}`)
      return constant(`c${at}`, concat(before, before))
    }),
    nick: longText(dice),
  }),
  'a chain of constants': (dice) => ({
    ...NOTHING,
    constants: times(500, (at) => constant(`c${at}`, concat(ref(at === 499 ? 'nick' : `c${at + 1}`), text('x')))),
    nick: longText(dice),
  }),
  'long needles': (dice) => {
    const needle = dice.pick(['a', 'ab']).repeat(dice.pick([10, 1_000]))
    const op = dice.pick(['contains', 'not_contains', 'eq', 'gt', 'in'])
    return {
      ...NOTHING,
      conditions: times(dice.pick([1, 10, 49]), () => ({
        op: 'or',
        children: times(dice.pick([1, 20]), () => leaf('nick', op, op === 'in' ? [needle] : `${needle}b`)),
      })),
      nick: dice.pick(['a', 'ab', 'b']).repeat(dice.pick([1_000, 700_000])),
    }
  },
  'objects as values': (dice) => ({
    ...NOTHING,
    constants: times(dice.pick([10, 200, 500]), (at) => constant(`c${at}`, concat(ref('nick'), text('x')))),
    conditions: times(dice.pick([0, 49]), () => leaf('nick', 'contains', 'z')),
    nick: Object.fromEntries(times(dice.pick([10, 20_000, 100_000]), (at) => [`k${at}`, at])),
  }),
  'nested objects as values': (dice) => {
    let nick: unknown = 1
    for (let level = dice.pick([10, 1_000, 4_000]); level > 0; level -= 1) nick = [nick]
    return { ...NOTHING, constants: times(100, (at) => constant(`c${at}`, concat(ref('nick')))), nick }
  },
  'many steps': (dice) => ({ ...NOTHING, steps: dice.pick([50, 200, 499]), nick: 'x' }),
  'elements that hide each other': (dice) => ({
    ...NOTHING,
    elements: times(dice.pick([20, 190]), (at) =>
      field(`f${at}`, { show_if: leaf(at === 0 ? 'nick' : `f${at - 1}`, 'answered', null) }),
    ),
    constants: times(dice.pick([0, 300]), (at) => constant(`c${at}`, concat(ref('nick'), text('x')))),
    nick: longText(dice),
  }),
  'texts with many tags': (dice) => ({
    ...NOTHING,
    elements: times(dice.pick([5, 18]), () => ({
      kind: 'text',
      body: '{{nick}}{{none}}{{'.repeat(2_700).slice(0, dice.pick([1_000, 50_000])),
    })),
    nick: longText(dice),
  }),
  'deep conditions': (dice) => {
    let condition: object = leaf('nick', 'ne', 'x')
    for (let level = dice.pick([5, 40, 300]); level > 0; level -= 1) condition = { op: 'not', children: [condition] }
    return { ...NOTHING, conditions: [condition], nick: longText(dice) }
  },
  'numbers with many digits': (dice) => ({
    ...NOTHING,
    constants: times(dice.pick([50, 500]), (at) =>
      constant(
        `c${at}`,
        { type: 'math', op: dice.pick(['add', 'mul', 'div']), args: [ref('nick'), ref('nick')] },
        'number',
      ),
    ),
    nick: dice.pick(['1', '1.', '9e', ' 1']).repeat(dice.pick([10, 500_000])),
  }),
  'many wrong names': (dice) => ({
    ...NOTHING,
    constants: times(dice.pick([50, 500]), (at) => constant(`c${at}`, concat(ref(`none_${at}`), ref(`c${499 - at}`)))),
    nick: 'x',
  }),
}

export function randomCase(dice: Dice): HostileCase {
  const kind = dice.pick(Object.keys(KINDS))
  const shape = KINDS[kind]?.(dice)
  if (shape === undefined) throw new Error(`there is no kind ${kind}`)
  return { kind, values: { nick: shape.nick, amount: '1' }, definition: (assetKey) => definitionOf(shape, assetKey) }
}

function definitionOf({ constants, elements, steps, conditions }: Shape, assetKey: string): object {
  const rules = [...conditions, null].map((condition) => ({ asset_key: assetKey, condition, languages: 'all' }))
  const before = times(steps, (at) => ({
    key: `s${at}`,
    party: 'us',
    title: '',
    elements: [field(`t${at}`, { label: 'x'.repeat(900) })],
  }))
  const keys = [...before.map(({ key }) => key), 'end']
  return {
    entry: keys[0],
    output_mode: 'document',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [
      ...before,
      {
        key: 'end',
        party: 'us',
        title: 'End',
        elements: [field('nick'), field('amount', { field_type: 'number' }), ...elements],
        language_party: 'customer',
        outputs: [{ output_key: 'contract', name: 'Contract', rules }],
      },
    ],
    edges: keys.slice(1).map((to, at) => ({ from: keys[at], to, sort: 0, condition: null })),
    constants,
  }
}
