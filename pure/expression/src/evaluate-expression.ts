import type { Lookup } from './answers.ts'
import { dateDifference, toDate } from './calendar.ts'
import { dependencyOrder } from './dependency-order.ts'
import { evaluateCondition } from './evaluate-condition.ts'
import { formatValue } from './format-value.ts'
import { evaluateMath } from './math.ts'
import { finite } from './numbers.ts'
import { branches, operands } from './operands.ts'
import { isOneOf, isRawObject, rawList, type RawObject } from './raw.ts'
import { DATE_UNITS, MATH_OPS } from './syntax.ts'

/**
 * Constants that concatenate themselves would double with every step; joined text longer than this is null, like a
 * number that is too large.
 */
export const MAX_TEXT_LENGTH = 1_048_576
/** So many characters together may be joined for the constants of one flow; what is joined after them is null. */
export const MAX_JOINED_LENGTH = 4 * MAX_TEXT_LENGTH

/** What is left of it: a value that is joined into each of five hundred constants costs five hundred times its length. */
export interface TextBudget {
  left: number
}

type ValueOf = (child: unknown) => unknown

/**
 * Accepts unparsed expressions: missing and unknown parts are null; never throws. Operands are computed before their
 * users, without recursion and each once.
 */
export function evaluateExpression(
  expression: unknown,
  answers: Lookup,
  referenceDate: string,
  budget: TextBudget = { left: MAX_JOINED_LENGTH },
): unknown {
  const values = new Map<RawObject, unknown>()
  const valueOf = (child: unknown): unknown => (isRawObject(child) ? (values.get(child) ?? null) : null)
  const roots = isRawObject(expression) ? [expression] : []
  for (const node of dependencyOrder(roots, subexpressions).order) {
    values.set(node, evaluateNode(node, valueOf, { answers, referenceDate, budget }))
  }
  return valueOf(expression)
}

interface Evaluation {
  readonly answers: Lookup
  readonly referenceDate: string
  readonly budget: TextBudget
}

function evaluateNode(node: RawObject, valueOf: ValueOf, { answers, referenceDate, budget }: Evaluation): unknown {
  switch (node['type']) {
    case 'lit':
      return literal(node['value'])
    case 'ref':
      return typeof node['key'] === 'string' ? answers.get(node['key']) : null
    case 'today':
      return referenceDate
    case 'if':
      return valueOf(chosenBranch(node, answers))
    case 'concat':
      return joined(rawList(node['parts']).map(valueOf), node['sep'], budget)
    case 'datediff':
      return difference(node['unit'], valueOf(node['from']), valueOf(node['to']))
    case 'math':
      return isOneOf(MATH_OPS, node['op']) ? evaluateMath(node['op'], rawList(node['args']).map(valueOf)) : null
    default:
      return null
  }
}

function subexpressions(node: RawObject): readonly RawObject[] {
  return operands(node).filter(isRawObject)
}

function literal(value: unknown): unknown {
  return typeof value === 'number' ? finite(value) : value
}

function chosenBranch(node: RawObject, answers: Lookup): unknown {
  const chosen = branches(node).find((branch) => evaluateCondition(branch['when'], answers))
  return chosen === undefined ? node['else'] : chosen['then']
}

function joined(parts: readonly unknown[], separator: unknown, budget: TextBudget): string | null {
  const texts = parts.map(formatValue)
  const between = typeof separator === 'string' ? separator : ''
  const length = texts.reduce((sum, text) => sum + text.length + between.length, -between.length)
  if (length > MAX_TEXT_LENGTH || length > budget.left) return null
  budget.left -= Math.max(0, length)
  return texts.join(between)
}

function difference(unit: unknown, from: unknown, to: unknown): number | null {
  const [start, end] = [toDate(from), toDate(to)]
  return isOneOf(DATE_UNITS, unit) && start !== null && end !== null ? dateDifference(unit, start, end) : null
}
