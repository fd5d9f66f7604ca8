import { accept, type Result } from '@sealpost/kernel'
import { finite } from './numbers.ts'
import { enter, inside, parseEach, type Place, rootPlace } from './place.ts'
import { type ExpressionProblem, refuse } from './problem.ts'
import { isOneOf, isRawObject, type RawObject } from './raw.ts'
import {
  COMPARISON_OPS,
  type Condition,
  type ConditionLeaf,
  GROUP_OPS,
  type GroupOp,
  LIST_OPS,
  PRESENCE_OPS,
  type Scalar,
} from './syntax.ts'

export type ConditionProblem = ExpressionProblem<'too_deep' | 'condition_invalid'>

/**
 * Stricter than the evaluator: input that an author surely did not intend is refused. An absent condition is null: it
 * always holds.
 */
export function parseCondition(raw: unknown): Result<Condition | null, ConditionProblem> {
  return parseOptionalCondition(raw, rootPlace())
}

export function parseOptionalCondition(raw: unknown, place: Place): Result<Condition | null, ConditionProblem> {
  return raw === null || raw === undefined ? accept(null) : parseNode(raw, place)
}

function parseNode(raw: unknown, place: Place): Result<Condition, ConditionProblem> {
  const entered = enter(place)
  if (!entered.ok) return entered
  if (!isRawObject(raw)) return refuse('condition_invalid', place.path, 'a condition must be an object')
  return isOneOf(GROUP_OPS, raw['op']) ? parseGroup(raw['op'], raw['children'], place) : parseLeaf(raw, place)
}

function parseGroup(op: GroupOp, children: unknown, place: Place): Result<Condition, ConditionProblem> {
  if (!Array.isArray(children)) return refuse('condition_invalid', place.path, `${op} must have a list of children`)
  if (op === 'not' && children.length !== 1)
    return refuse('condition_invalid', place.path, 'not must have exactly one child')
  const parsed = parseEach(children, (child, index) => parseNode(child, inside(place, 'children', index)))
  return parsed.ok ? accept({ op, children: parsed.value }) : parsed
}

function parseLeaf({ field, op, value }: RawObject, place: Place): Result<ConditionLeaf, ConditionProblem> {
  if (typeof field !== 'string' || field === '') {
    return refuse('condition_invalid', place.path, 'a condition must name its field')
  }
  if (isOneOf(PRESENCE_OPS, op)) return accept({ field, op })
  if (isOneOf(LIST_OPS, op)) {
    const members = parseScalars(value)
    return members === null
      ? refuse('condition_invalid', [...place.path, 'value'], `${op} needs a list of texts, numbers or booleans`)
      : accept({ field, op, value: members })
  }
  if (!isOneOf(COMPARISON_OPS, op)) return refuse('condition_invalid', [...place.path, 'op'], 'unknown operator')
  const scalar = parseScalar(value)
  return scalar === undefined
    ? refuse('condition_invalid', [...place.path, 'value'], `${op} needs a text, a number or a boolean`)
    : accept({ field, op, value: scalar })
}

function parseScalars(value: unknown): readonly Scalar[] | null {
  if (!Array.isArray(value)) return null
  const scalars: Scalar[] = []
  for (const member of value) {
    const scalar = parseScalar(member)
    if (scalar === undefined) return null
    scalars.push(scalar)
  }
  return scalars
}

/** A missing value is null; undefined marks a value that is no scalar. */
function parseScalar(value: unknown): Scalar | undefined {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return finite(value) ?? undefined
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}
