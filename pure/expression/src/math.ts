import { finite, roundHalfAway, toNumber } from './numbers.ts'
import type { MathOp } from './syntax.ts'

type Numbers = readonly number[]

/** Surplus arguments are ignored; a missing one, or one that is not a number, makes the result null. */
export function evaluateMath(op: MathOp, args: readonly unknown[]): number | null {
  const numbers = args.map(toNumber)
  if (op === 'max' || op === 'min') return extreme(op, numbers.filter(isNumber))
  const used = arity[op] === null ? numbers : numbers.slice(0, arity[op])
  if (arity[op] !== null && used.length < arity[op]) return null
  return used.every(isNumber) ? finite(compute(op, used)) : null
}

/** Null: any number. */
export const arity = {
  add: null,
  mul: null,
  max: null,
  min: null,
  sub: 2,
  div: 2,
  mod: 2,
  round: 1,
  floor: 1,
  ceil: 1,
  abs: 1,
  neg: 1,
} as const satisfies Record<MathOp, number | null>

function compute(op: Exclude<MathOp, 'max' | 'min'>, args: Numbers): number {
  const [a = Number.NaN, b = Number.NaN] = args
  switch (op) {
    case 'add':
      return args.reduce((sum, value) => sum + value, 0)
    case 'mul':
      return args.reduce((product, value) => product * value, 1)
    case 'sub':
      return a - b
    case 'div':
      // Division by zero gives an infinity or NaN, which the caller turns into null.
      return a / b
    case 'mod':
      return a % b
    case 'round':
      return roundHalfAway(a, 0)
    case 'floor':
      return Math.floor(a)
    case 'ceil':
      return Math.ceil(a)
    case 'abs':
      return Math.abs(a)
    case 'neg':
      return -a
  }
}

function extreme(op: 'max' | 'min', numbers: Numbers): number | null {
  if (numbers.length === 0) return null
  return numbers.reduce((best, value) => (op === 'max' ? Math.max(best, value) : Math.min(best, value)))
}

function isNumber(value: number | null): value is number {
  return value !== null
}
