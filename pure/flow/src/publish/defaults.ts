import { inferType, parseExpression, type Expression, type ExpressionProblem } from '@sealpost/expression'
import type { IssueKey, PublishIssue } from '@sealpost/protocol'
import type { FieldElement, FlowNode } from '../definition/definition.ts'
import { pointer, type JsonPointer } from '../definition/pointer.ts'
import type { PublishContext } from './context.ts'
import { fieldKind, fieldValueType, isFlowType } from './field-kinds.ts'
import { issue, quoted } from './issue.ts'
import { referencesIn } from './references.ts'

/** A default, minimum or maximum, as written on a field. */
export interface FieldExpression {
  readonly member: 'default' | 'min' | 'max'
  readonly written: unknown
  readonly path: JsonPointer
  readonly field: FieldElement
  readonly node: FlowNode
}

export function fieldExpressions({ elements }: PublishContext): readonly FieldExpression[] {
  return elements.flatMap(({ element, path, node }) => {
    if (element.kind !== 'field') return []
    return (['default', 'min', 'max'] as const)
      .filter((member) => element[member] !== undefined)
      .map((member) => ({ member, written: element[member], path: pointer(path, member), field: element, node }))
  })
}

export function checkDefaults(context: PublishContext): readonly PublishIssue[] {
  return fieldExpressions(context).flatMap((site) => checkSite(context, site))
}

function checkSite(context: PublishContext, site: FieldExpression): readonly PublishIssue[] {
  // A field without a valid type has a finding of its own; the expected type is unknown.
  if (!isFlowType(context.facts.types, site.field.field_type)) return []
  const misplaced = checkField(context, site)
  if (misplaced !== null) return [misplaced]
  const parsed = parseExpression(site.written)
  if (!parsed.ok) return [problemOf(site, parsed.refusal)]
  const unread = checkReads(context, site, parsed.value)
  return unread.length > 0 ? unread : checkType(context, site, parsed.value)
}

/** Whether such a field may have one at all. */
function checkField({ facts }: PublishContext, { member, path, field }: FieldExpression): PublishIssue | null {
  const isLinked = field.link === 'connected' || field.link === 'verified'
  const kind = fieldKind(facts.types, field.field_type)
  if (isLinked || kind === 'file' || kind === 'choice' || (kind === 'composite' && member === 'default')) {
    return issue('field.default_not_allowed', path, `${member} of ${quoted(field.slug)}`)
  }
  const isBounded = kind === 'number' || kind === 'date'
  return member === 'default' || isBounded
    ? null
    : issue('field.bound_type_mismatch', path, `${quoted(field.slug)} is neither a number nor a date`)
}

function checkReads(context: PublishContext, site: FieldExpression, expression: Expression): readonly PublishIssue[] {
  return referencesIn(expression, site.path)
    .filter(({ key }) => context.stateOf(key, site.node.key) !== 'available')
    .map(({ key, path }) => issue('field.ref_not_answerable', path, quoted(key)))
}

function checkType(context: PublishContext, site: FieldExpression, expression: Expression): readonly PublishIssue[] {
  const inferred = inferType(expression, context.typeOf)
  if (!inferred.ok) {
    // A key that exists but has no type is a constant whose own type is invalid.
    return inferred.refusal.reason === 'ref_unknown' ? [] : [problemOf(site, inferred.refusal)]
  }
  const wanted = fieldValueType(context.facts.types, site.field.field_type)
  if (inferred.value === wanted) return []
  return [issue(mismatch(site), site.path, `${quoted(site.field.slug)} is ${wanted}, this gives ${inferred.value}`)]
}

function problemOf(site: FieldExpression, { reason, path, message }: ExpressionProblem): PublishIssue {
  return issue(keyOf(site, reason), pointer(site.path, ...path), message)
}

function keyOf(site: FieldExpression, reason: ExpressionProblem['reason']): IssueKey {
  if (reason === 'too_deep') return 'field.expr_too_deep'
  return reason === 'condition_invalid' ? 'condition.invalid' : mismatch(site)
}

function mismatch({ member }: FieldExpression): IssueKey {
  return member === 'default' ? 'field.default_type_mismatch' : 'field.bound_type_mismatch'
}
