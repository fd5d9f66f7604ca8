import fc from 'fast-check'

/** Puts something into one place of a tree: what belongs there, or at times something else. */
type Slot = (fits: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>

export interface ArbitraryLanguage {
  readonly expression: fc.Arbitrary<unknown>
  readonly condition: fc.Arbitrary<unknown>
}

/** Few, so that trees and answers meet; some as an attacker would choose them. */
export const arbitraryKey = fc.constantFrom('a', 'b', 'c', 'a.b', 'a.b.id', '__proto__', 'constructor')

export const arbitraryDay = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))

export const arbitraryNumber = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))

export const arbitraryScalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  arbitraryNumber,
  fc.boolean(),
  fc.constant(null),
  arbitraryDay,
  fc.constantFrom('', ' ', ' 7 ', '1e3', '0x10', 'true', '-0', '2026-02-30'),
)

export const arbitraryAnswers = fc
  .dictionary(arbitraryKey, fc.oneof(arbitraryScalar, fc.array(arbitraryScalar, { maxLength: 3 })))
  .map((record) => new Map(Object.entries(record)))

/** Trees that the parsers accept. */
export function validLanguage(): ArbitraryLanguage {
  return language((fits) => fits)
}

/** Near enough to the language to get past its first checks, and wrong in every other way. */
export function brokenLanguage(): ArbitraryLanguage {
  const anything = fc.anything({
    maxDepth: 1,
    maxKeys: 2,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  })
  return language((fits) => fc.oneof({ weight: 8, arbitrary: fits }, { weight: 1, arbitrary: anything }))
}

function language(slot: Slot): ArbitraryLanguage {
  const condition = conditionIn(slot)
  return { condition, expression: expressionIn(slot, condition) }
}

function conditionIn(slot: Slot): fc.Arbitrary<unknown> {
  const field = slot(arbitraryKey)
  const { condition } = fc.letrec((tie) => ({
    condition: fc.oneof(
      { depthSize: 'small' },
      fc.record({ op: name(slot, 'eq', 'ne', 'lt', 'le', 'gt', 'ge'), field, value: slot(arbitraryScalar) }),
      fc.record({ op: name(slot, 'contains', 'not_contains'), field, value: slot(arbitraryScalar) }),
      fc.record({ op: name(slot, 'in', 'nin'), field, value: list(slot, arbitraryScalar) }),
      fc.record({ op: name(slot, 'answered', 'empty'), field }),
      fc.record({ op: name(slot, 'and', 'or'), children: list(slot, tie('condition')) }),
      fc.record({ op: name(slot, 'not'), children: slot(fc.tuple(tie('condition'))) }),
    ),
  }))
  return condition
}

function expressionIn(slot: Slot, condition: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { expression } = fc.letrec((tie) => {
    const operand = slot(tie('expression'))
    const operands = list(slot, tie('expression'))
    // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
    const branch = fc.record({ when: slot(fc.option(condition)), then: operand })
    return {
      expression: fc.oneof(
        { depthSize: 'small' },
        literal(slot, 'number', arbitraryNumber),
        literal(slot, 'text', fc.string({ unit: 'binary' })),
        literal(slot, 'date', arbitraryDay),
        literal(slot, 'boolean', fc.boolean()),
        fc.record({ type: fc.constant('ref'), key: slot(arbitraryKey) }),
        fc.record({ type: name(slot, 'today') }),
        fc.record({ type: fc.constant('if'), cases: list(slot, branch), else: operand }),
        fc.record({ type: fc.constant('concat'), parts: operands, sep: slot(fc.string()) }),
        fc.record({ type: fc.constant('datediff'), unit: unit(slot), from: operand, to: operand }),
        fc.record({ type: fc.constant('math'), op: operator(slot), args: operands }),
      ),
    }
  })
  return expression
}

function literal(slot: Slot, type: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.record({ type: fc.constant('lit'), value_type: name(slot, type), value: slot(value) })
}

function unit(slot: Slot): fc.Arbitrary<unknown> {
  return name(slot, 'days', 'weeks', 'months', 'years')
}

function operator(slot: Slot): fc.Arbitrary<unknown> {
  return name(slot, 'add', 'sub', 'mul', 'div', 'mod', 'round', 'floor', 'ceil', 'abs', 'neg', 'max', 'min')
}

function name(slot: Slot, ...names: string[]): fc.Arbitrary<unknown> {
  return slot(fc.constantFrom(...names))
}

function list(slot: Slot, member: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return slot(fc.array(slot(member), { maxLength: 4 }))
}
