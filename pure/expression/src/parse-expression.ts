import { accept, type Result } from '@sealpost/kernel'
import { toDate } from './calendar.ts'
import { finite } from './numbers.ts'
import { parseOptionalCondition } from './parse-condition.ts'
import { enter, inside, parseEach, type Place, rootPlace } from './place.ts'
import { type ExpressionProblem, refuse } from './problem.ts'
import { isOneOf, isRawObject, type RawObject } from './raw.ts'
import { type Case, DATE_UNITS, type Expression, MATH_OPS } from './syntax.ts'

export type ParseProblem = ExpressionProblem<'too_deep' | 'expression_invalid' | 'condition_invalid'>
type Parsed<T> = Result<T, ParseProblem>

/** Unknown members are removed; `inferType` checks the number of arguments. */
export function parseExpression(raw: unknown): Parsed<Expression> {
  return parseNode(raw, rootPlace())
}

function parseNode(raw: unknown, place: Place): Parsed<Expression> {
  const entered = enter(place)
  if (!entered.ok) return entered
  if (!isRawObject(raw)) return invalid(place, 'an expression must be an object')
  switch (raw['type']) {
    case 'lit':
      return parseLiteral(raw, place)
    case 'ref':
      return parseReference(raw['key'], place)
    case 'today':
      return accept({ type: 'today' })
    case 'if':
      return parseIf(raw, place)
    case 'concat':
      return parseConcat(raw, place)
    case 'datediff':
      return parseDatediff(raw, place)
    case 'math':
      return parseMath(raw, place)
    default:
      return invalid(place, 'unknown type of expression')
  }
}

function parseLiteral({ value_type, value }: RawObject, place: Place): Parsed<Expression> {
  const type = 'lit'
  const number = typeof value === 'number' ? finite(value) : null
  if (value_type === 'number' && number !== null) return accept({ type, value_type, value: number })
  if (value_type === 'boolean' && typeof value === 'boolean') return accept({ type, value_type, value })
  if (value_type === 'text' && typeof value === 'string') return accept({ type, value_type, value })
  if (value_type === 'date' && typeof value === 'string' && toDate(value) !== null) {
    return accept({ type, value_type, value })
  }
  return invalid(place, 'a literal must hold a number, text, boolean or date (YYYY-MM-DD), as its value_type says')
}

function parseReference(key: unknown, place: Place): Parsed<Expression> {
  if (typeof key !== 'string' || key === '') return invalid(place, 'a reference must name a key')
  return accept({ type: 'ref', key })
}

function parseIf(raw: RawObject, place: Place): Parsed<Expression> {
  if (!Array.isArray(raw['cases'])) return invalid(place, 'if must have a list of cases')
  const cases = parseEach(raw['cases'], (branch, index) => parseCase(branch, index, place))
  if (!cases.ok) return cases
  const otherwise = parseNode(raw['else'], inside(place, 'else'))
  return otherwise.ok ? accept({ type: 'if', cases: cases.value, else: otherwise.value }) : otherwise
}

function parseCase(raw: unknown, index: number, place: Place): Parsed<Case> {
  if (!isRawObject(raw))
    return refuse('expression_invalid', [...place.path, 'cases', index], 'a case must be an object')
  const when = parseOptionalCondition(raw['when'], inside(place, 'cases', index, 'when'))
  if (!when.ok) return when
  const then = parseNode(raw['then'], inside(place, 'cases', index, 'then'))
  // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
  return then.ok ? accept({ when: when.value, then: then.value }) : then
}

function parseConcat(raw: RawObject, place: Place): Parsed<Expression> {
  const sep = raw['sep'] ?? ''
  if (typeof sep !== 'string') return invalid(place, 'the separator of concat must be a text')
  const parts = parseOperands(raw, 'parts', place)
  return parts.ok ? accept({ type: 'concat', parts: parts.value, sep }) : parts
}

function parseDatediff(raw: RawObject, place: Place): Parsed<Expression> {
  const { unit } = raw
  if (!isOneOf(DATE_UNITS, unit)) return invalid(place, `the unit of datediff must be one of ${DATE_UNITS.join(', ')}`)
  const from = parseNode(raw['from'], inside(place, 'from'))
  if (!from.ok) return from
  const to = parseNode(raw['to'], inside(place, 'to'))
  return to.ok ? accept({ type: 'datediff', unit, from: from.value, to: to.value }) : to
}

function parseMath(raw: RawObject, place: Place): Parsed<Expression> {
  const { op } = raw
  if (!isOneOf(MATH_OPS, op)) return invalid(place, `the op of math must be one of ${MATH_OPS.join(', ')}`)
  const args = parseOperands(raw, 'args', place)
  return args.ok ? accept({ type: 'math', op, args: args.value }) : args
}

function parseOperands(raw: RawObject, member: 'parts' | 'args', place: Place): Parsed<readonly Expression[]> {
  const operands = raw[member]
  if (!Array.isArray(operands)) return invalid(place, `${member} must be a list of expressions`)
  return parseEach(operands, (operand, index) => parseNode(operand, inside(place, member, index)))
}

function invalid(place: Place, message: string): { ok: false; refusal: ExpressionProblem<'expression_invalid'> } {
  return refuse('expression_invalid', place.path, message)
}
