import { inferType, isKey, type Expression, type ExpressionProblem } from '@sealpost/expression'
import type { IssueKey, PublishIssue } from '@sealpost/protocol'
import { pointer } from '../definition/pointer.ts'
import { isAnswerElement } from '../graph/flow-keys.ts'
import { isValueType, type PlacedConstant, type PublishContext } from './context.ts'
import { issue, quoted } from './issue.ts'
import { referencesIn } from './references.ts'
import { keysUsed } from './uses.ts'

export function checkConstants(context: PublishContext): readonly PublishIssue[] {
  const used = keysUsed(context)
  return [
    ...checkKeys(context),
    ...context.constants.flatMap((placed) => [
      ...checkExpression(context, placed),
      ...checkShownOn(context, placed),
      ...checkUse(placed, used),
    ]),
  ]
}

function checkKeys({ constants, elements }: PublishContext): readonly PublishIssue[] {
  const taken = new Set(elements.flatMap(({ element }) => (isAnswerElement(element) ? [element.slug] : [])))
  return constants.flatMap(({ constant: { key }, path }) => {
    const isTaken = taken.has(key)
    taken.add(key)
    if (!isKey(key)) return [issue('constant.key_invalid', pointer(path, 'key'), quoted(key))]
    return isTaken ? [issue('constant.key_duplicate', pointer(path, 'key'), quoted(key))] : []
  })
}

function checkExpression(context: PublishContext, { constant, path, parsed }: PlacedConstant): readonly PublishIssue[] {
  const at = pointer(path, 'expr')
  if (!parsed.ok) return [problemOf(parsed.refusal, at)]
  const unknown = referencesIn(parsed.value, at).filter(({ key }) => !context.isKnown(key))
  if (unknown.length === 0) return checkType(context, { constant, path, parsed }, parsed.value)
  return unknown.map((read) => issue('constant.ref_unknown', read.path, quoted(read.key)))
}

function problemOf({ reason, path, message }: ExpressionProblem, at: string): PublishIssue {
  return issue(keyOf(reason), pointer(at, ...path), message)
}

function keyOf(reason: ExpressionProblem['reason']): IssueKey {
  if (reason === 'too_deep') return 'constant.expr_too_deep'
  return reason === 'condition_invalid' ? 'condition.invalid' : 'constant.type_mismatch'
}

function checkType(
  context: PublishContext,
  { constant, path }: PlacedConstant,
  expression: Expression,
): readonly PublishIssue[] {
  const declared = pointer(path, 'result_type')
  if (!isValueType(constant.result_type)) {
    return [issue('constant.type_mismatch', declared, `there is no type ${quoted(constant.result_type)}`)]
  }
  const inferred = inferType(expression, context.typeOf)
  if (!inferred.ok) {
    // A key that exists but has no type is another constant whose own type is invalid.
    return inferred.refusal.reason === 'ref_unknown' ? [] : [problemOf(inferred.refusal, pointer(path, 'expr'))]
  }
  if (inferred.value === constant.result_type) return []
  return [issue('constant.type_mismatch', declared, `${quoted(constant.key)} gives ${inferred.value}`)]
}

function checkShownOn(context: PublishContext, { constant, path }: PlacedConstant): readonly PublishIssue[] {
  return constant.shown_on.flatMap((nodeKey, place) => {
    const at = pointer(path, 'shown_on', place)
    if (!context.graph.nodes.has(nodeKey)) {
      return [issue('constant.shown_on_unknown_node', at, `there is no step ${quoted(nodeKey)}`)]
    }
    if (context.stateOf(constant.key, nodeKey) === 'available') return []
    return [issue('constant.shown_on_not_computable', at, `${quoted(constant.key)} on ${quoted(nodeKey)}`)]
  })
}

function checkUse({ constant, path }: PlacedConstant, used: ReadonlySet<string>): readonly PublishIssue[] {
  if (used.has(constant.key) || constant.shown_on.length > 0) return []
  return [issue('constant.unused', path, quoted(constant.key))]
}
