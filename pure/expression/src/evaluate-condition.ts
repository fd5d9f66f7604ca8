import { isAnswered, type Lookup } from './answers.ts'
import { containsText } from './contains-text.ts'
import { dependencyOrder } from './dependency-order.ts'
import { formatValue } from './format-value.ts'
import { toNumber } from './numbers.ts'
import { isRawObject, rawList, type RawObject } from './raw.ts'

/**
 * Accepts unparsed conditions. A value that is no object holds, an unknown operator does not; never throws. Children
 * are evaluated before their parents, without recursion: a pinned definition must never crash a client.
 */
export function evaluateCondition(condition: unknown, answers: Lookup): boolean {
  if (!isRawObject(condition)) return true
  const evaluated = new Map<RawObject, boolean>()
  const holds = (child: unknown): boolean => !isRawObject(child) || evaluated.get(child) === true
  for (const node of dependencyOrder([condition], subconditions).order)
    evaluated.set(node, evaluateNode(node, holds, answers))
  return holds(condition)
}

export function subconditions(node: RawObject): readonly RawObject[] {
  const isGroup = node['op'] === 'and' || node['op'] === 'or' || node['op'] === 'not'
  return isGroup ? rawList(node['children']).filter(isRawObject) : []
}

function evaluateNode(node: RawObject, holds: (child: unknown) => boolean, answers: Lookup): boolean {
  const children = rawList(node['children'])
  switch (node['op']) {
    case 'and':
      return children.every(holds)
    case 'or':
      return children.some(holds)
    case 'not':
      return children.length > 0 && !holds(children[0])
    default:
      return evaluateLeaf(node, answers)
  }
}

function evaluateLeaf({ field, op, value }: RawObject, answers: Lookup): boolean {
  const answer = typeof field === 'string' ? answers.get(field) : undefined
  switch (op) {
    case 'answered':
      return isAnswered(answer)
    case 'empty':
      return !isAnswered(answer)
    case 'in':
      return isAmong(answer, value)
    case 'nin':
      return !isAmong(answer, value)
    case 'not_contains':
      return !isAnswered(answer) || !contains(answer, value)
    default:
      return isAnswered(answer) && compare(op, answer, value)
  }
}

function compare(op: unknown, answer: unknown, value: unknown): boolean {
  switch (op) {
    case 'eq':
      return isEqual(answer, value)
    case 'ne':
      return !isEqual(answer, value)
    case 'lt':
      return isOrdered(answer, value, (order) => order < 0)
    case 'le':
      return isOrdered(answer, value, (order) => order <= 0)
    case 'gt':
      return isOrdered(answer, value, (order) => order > 0)
    case 'ge':
      return isOrdered(answer, value, (order) => order >= 0)
    case 'contains':
      return contains(answer, value)
    default:
      return false
  }
}

function isAmong(answer: unknown, value: unknown): boolean {
  return rawList(value).some((member) => isEqual(answer, member))
}

function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return isTruthy(a) === isTruthy(b)
  const [left, right] = [toNumber(a), toNumber(b)]
  return left !== null && right !== null ? left === right : formatValue(a) === formatValue(b)
}

/** The text "false" is true, as any text but the empty one. */
function isTruthy(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0
}

/** Numbers compare with numbers, texts with texts by UTF-16 unit; a number and a text have no order. */
function isOrdered(a: unknown, b: unknown, accepts: (order: number) => boolean): boolean {
  const [left, right] = [toNumber(a), toNumber(b)]
  if (left !== null && right !== null) return accepts(left - right)
  if (left !== null || right !== null) return false
  const [leftText, rightText] = [formatValue(a), formatValue(b)]
  return accepts(leftText < rightText ? -1 : Number(leftText > rightText))
}

function contains(answer: unknown, value: unknown): boolean {
  return containsText(formatValue(answer), formatValue(value))
}
