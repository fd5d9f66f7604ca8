import type { Dice } from '@sealpost/testkit/dice'
import { DATES, type FieldKind, WORDS } from './field-values.ts'
import type { MathOp, Scalar, WrittenCondition, WrittenConstant, WrittenExpression } from './written.ts'

/** A key that can be read somewhere: an answer or a constant. */
export interface ReadableKey {
  readonly key: string
  readonly kind: FieldKind | 'boolean'
  /** The values of a choice. */
  readonly values?: readonly string[]
}

const ORDER = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const

/** A condition over these keys, of which there is at least one. */
export function randomCondition(dice: Dice, keys: readonly ReadableKey[], depth = 2): WrittenCondition {
  if (depth > 0 && dice.chance(0.3)) {
    const op = dice.pick(['and', 'or', 'not'] as const)
    const count = op === 'not' ? 1 : 1 + dice.below(3)
    return { op, children: Array.from({ length: count }, () => randomCondition(dice, keys, depth - 1)) }
  }
  const read = dice.pick(keys)
  return dice.chance(0.15) ? { field: read.key, op: dice.pick(['answered', 'empty'] as const) } : comparison(dice, read)
}

function comparison(dice: Dice, { key: field, kind, values = WORDS }: ReadableKey): WrittenCondition {
  const some = (): readonly Scalar[] => [dice.pick(values), dice.pick(values)]
  switch (kind) {
    case 'number': {
      const value = (dice.below(280) - 40) / 2
      if (dice.chance(0.1)) return { field, op: dice.pick(['in', 'nin'] as const), value: [value, 5, '7'] }
      return { field, op: dice.pick(ORDER), value: dice.chance(0.2) ? String(value) : value }
    }
    case 'date':
      return { field, op: dice.pick(ORDER), value: dice.pick(DATES) }
    case 'boolean':
      return { field, op: dice.pick(['eq', 'ne'] as const), value: dice.chance(0.5) }
    case 'text':
    case 'choice':
      if (dice.chance(0.3)) return { field, op: dice.pick(['in', 'nin'] as const), value: some() }
      return { field, op: dice.pick([...ORDER, 'contains', 'not_contains'] as const), value: dice.pick(values) }
    case 'many':
      return { field, op: dice.pick(['contains', 'not_contains'] as const), value: `"${dice.pick(values)}"` }
    case 'composite':
    case 'file':
      return { field, op: dice.pick(['answered', 'empty'] as const) }
  }
}

type Typed = WrittenConstant['result_type']

/** An expression of this type over these keys, of which there may be none. */
export function randomExpression(dice: Dice, type: Typed, keys: readonly ReadableKey[], depth = 2): WrittenExpression {
  const below = (wanted: Typed): WrittenExpression => randomExpression(dice, wanted, keys, depth - 1)
  // The value of a file answer is the handle of a copy, another one for each reader.
  const own = keys.filter(({ kind }) => kind !== 'file' && typeOfKind(kind) === type)
  if (depth === 0 || dice.chance(0.25)) {
    return own.length > 0 && dice.chance(0.7) ? { type: 'ref', key: dice.pick(own).key } : literal(dice, type)
  }
  if (type === 'boolean' || (keys.length > 0 && dice.chance(0.2))) {
    if (keys.length === 0) return literal(dice, type)
    const cases = Array.from({ length: 1 + dice.below(2) }, () => ({
      when: randomCondition(dice, keys, 1),
      // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
      then: below(type),
    }))
    return { type: 'if', cases, else: below(type) }
  }
  switch (type) {
    case 'number':
      return dice.chance(0.25) ? dateDifference(dice, below) : calculation(dice, below)
    case 'text':
      return {
        type: 'concat',
        parts: Array.from({ length: 1 + dice.below(3) }, () => below(dice.pick(['number', 'text', 'date'] as const))),
        sep: dice.pick(['', '-', ' ']),
      }
    case 'date':
      return { type: 'today' }
  }
}

/** The others take any number. */
const ARGUMENTS: ReadonlyMap<MathOp, number> = new Map<MathOp, number>([
  ...(['sub', 'div', 'mod'] as const).map((op) => [op, 2] as const),
  ...(['round', 'floor', 'ceil', 'abs', 'neg'] as const).map((op) => [op, 1] as const),
])

function calculation(dice: Dice, below: (type: Typed) => WrittenExpression): WrittenExpression {
  const op: MathOp = dice.pick([
    'add',
    'add',
    'sub',
    'mul',
    'div',
    'mod',
    'round',
    'floor',
    'ceil',
    'abs',
    'neg',
    'max',
    'min',
  ] as const)
  const count = ARGUMENTS.get(op) ?? 2 + dice.below(2)
  return { type: 'math', op, args: Array.from({ length: count }, () => below('number')) }
}

function dateDifference(dice: Dice, below: (type: Typed) => WrittenExpression): WrittenExpression {
  const unit = dice.pick(['days', 'weeks', 'months', 'years'] as const)
  return { type: 'datediff', unit, from: below('date'), to: below('date') }
}

export function literal(dice: Dice, type: Typed): WrittenExpression {
  const value: Scalar = {
    number: (dice.below(160) - 20) / 2,
    text: dice.pick(WORDS),
    date: dice.pick(DATES),
    boolean: dice.chance(0.5),
  }[type]
  return { type: 'lit', value_type: type, value }
}

/** The type of an answer in expressions. */
export function typeOfKind(kind: ReadableKey['kind']): Typed {
  return kind === 'number' || kind === 'date' || kind === 'boolean' ? kind : 'text'
}
