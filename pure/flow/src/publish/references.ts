import type { Condition, Expression } from '@sealpost/expression'
import { pointer, type JsonPointer } from '../definition/pointer.ts'

/** A key that a condition or expression reads, and its place there. */
export interface Reference {
  readonly key: string
  readonly path: JsonPointer
}

/** Parsed trees are at most 64 levels deep, so recursion is safe. */
export function referencesIn(expression: Expression, at: JsonPointer): readonly Reference[] {
  switch (expression.type) {
    case 'lit':
    case 'today':
      return []
    case 'ref':
      return [{ key: expression.key, path: pointer(at, 'key') }]
    case 'if':
      return referencesInCases(expression, at)
    case 'concat':
      return expression.parts.flatMap((part, place) => referencesIn(part, pointer(at, 'parts', place)))
    case 'datediff':
      return [...referencesIn(expression.from, pointer(at, 'from')), ...referencesIn(expression.to, pointer(at, 'to'))]
    case 'math':
      return expression.args.flatMap((arg, place) => referencesIn(arg, pointer(at, 'args', place)))
  }
}

function referencesInCases(expression: Expression & { type: 'if' }, at: JsonPointer): readonly Reference[] {
  const cases = expression.cases.flatMap(({ when, then }, place) => [
    ...referencesInCondition(when, pointer(at, 'cases', place, 'when')),
    ...referencesIn(then, pointer(at, 'cases', place, 'then')),
  ])
  return [...cases, ...referencesIn(expression.else, pointer(at, 'else'))]
}

export function referencesInCondition(condition: Condition | null, at: JsonPointer): readonly Reference[] {
  if (condition === null) return []
  if ('field' in condition) return [{ key: condition.field, path: pointer(at, 'field') }]
  return condition.children.flatMap((child, place) => referencesInCondition(child, pointer(at, 'children', place)))
}
