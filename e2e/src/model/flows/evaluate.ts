import type { MathOp, WrittenCondition, WrittenConstant, WrittenExpression } from './written.ts'

/** A value while a flow runs; undefined: not answered, or not computable. */
export type Value = string | number | boolean | undefined
export type Values = ReadonlyMap<string, Value>

/**
 * The language of conditions and constants once more, straight from its description: recursive, and only for the trees
 * that the model writes. It shares nothing with the evaluators that it is compared with.
 */
export function holds(condition: WrittenCondition | null | undefined, values: Values): boolean {
  if (condition === null || condition === undefined) return true
  if ('children' in condition) {
    const children = condition.children.map((child) => holds(child, values))
    if (condition.op === 'not') return children[0] === false
    return condition.op === 'and' ? !children.includes(false) : children.includes(true)
  }
  const given = values.get(condition.field)
  const isGiven = given !== undefined && given !== ''
  switch (condition.op) {
    case 'answered':
      return isGiven
    case 'empty':
      return !isGiven
    case 'in':
    case 'nin': {
      const isAmong = condition.value.some((one) => isEqual(given, one))
      return isAmong === (condition.op === 'in')
    }
    case 'contains':
      return isGiven && textOf(given).includes(textOf(condition.value))
    case 'not_contains':
      return !isGiven || !textOf(given).includes(textOf(condition.value))
    case 'eq':
      return isGiven && isEqual(given, condition.value)
    case 'ne':
      return isGiven && !isEqual(given, condition.value)
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return isGiven && isOrdered(condition.op, given, condition.value)
  }
}

function isEqual(one: Value, other: Value): boolean {
  if (typeof one === 'boolean' || typeof other === 'boolean') return isTrue(one) === isTrue(other)
  const [a, b] = [numberOf(one), numberOf(other)]
  return a !== undefined && b !== undefined ? a === b : textOf(one) === textOf(other)
}

function isTrue(value: Value): boolean {
  return !(value === undefined || value === '' || value === 0 || value === false)
}

function isOrdered(op: 'lt' | 'le' | 'gt' | 'ge', one: Value, other: Value): boolean {
  const [a, b] = [numberOf(one), numberOf(other)]
  if ((a === undefined) !== (b === undefined)) return false
  const [left, right] = a !== undefined && b !== undefined ? [a, b] : [textOf(one), textOf(other)]
  return { lt: left < right, le: left <= right, gt: left > right, ge: left >= right }[op]
}

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && NUMBER.test(value) ? numberOf(Number(value)) : undefined
}

export function textOf(value: Value): string {
  return value === undefined ? '' : String(value)
}

/** The answers with the value of every constant. */
export function withConstants(constants: readonly WrittenConstant[], answers: Values, today: string): Values {
  const values = new Map(answers)
  // Written in an order in which each reads only those before it.
  for (const { key, expr } of constants) values.set(key, compute(expr, values, today))
  return values
}

export function compute(expr: WrittenExpression, values: Values, today: string): Value {
  const part = (child: WrittenExpression): Value => compute(child, values, today)
  switch (expr.type) {
    case 'lit':
      return expr.value
    case 'ref':
      return values.get(expr.key)
    case 'today':
      return today
    case 'if':
      return part(expr.cases.find(({ when }) => holds(when, values))?.then ?? expr.else)
    case 'concat':
      return expr.parts.map((child) => textOf(part(child))).join(expr.sep)
    case 'datediff':
      return between(expr.unit, part(expr.from), part(expr.to))
    case 'math':
      return calculate(expr.op, expr.args.map(part).map(numberOf))
  }
}

function calculate(op: MathOp, args: readonly (number | undefined)[]): number | undefined {
  const numbers = args.filter((arg) => arg !== undefined)
  if (op === 'max' || op === 'min') return numbers.length === 0 ? undefined : Math[op](...numbers)
  const [a = Number.NaN, b = Number.NaN] = numbers
  if (numbers.length < args.length) return undefined
  const result = {
    add: () => numbers.reduce((sum, one) => sum + one, 0),
    mul: () => numbers.reduce((product, one) => product * one, 1),
    sub: () => a - b,
    div: () => a / b,
    mod: () => a % b,
    round: () => Math.sign(a) * Math.round(Math.abs(a)),
    floor: () => Math.floor(a),
    ceil: () => Math.ceil(a),
    abs: () => Math.abs(a),
    neg: () => -a,
  }[op]()
  if (!Number.isFinite(result)) return undefined
  return result === 0 ? 0 : result
}

function between(unit: 'days' | 'weeks' | 'months' | 'years', from: Value, to: Value): number | undefined {
  const [start, end] = [dayOf(from), dayOf(to)]
  if (start === undefined || end === undefined) return undefined
  const days = (end.at - start.at) / 86_400_000
  const months = (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day ? 1 : 0)
  const isBefore = end.month < start.month || (end.month === start.month && end.day < start.day)
  return { days, weeks: Math.trunc(days / 7) + 0, months, years: end.year - start.year - (isBefore ? 1 : 0) }[unit]
}

function dayOf(value: Value) {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined
  const at = Date.parse(`${value}T00:00:00Z`)
  if (Number.isNaN(at)) return undefined
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number)
  return { at, year, month, day }
}
