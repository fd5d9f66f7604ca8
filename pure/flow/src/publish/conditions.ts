import { parseCondition } from '@sealpost/expression'
import type { PublishIssue } from '@sealpost/protocol'
import { pointer, type JsonPointer } from '../definition/pointer.ts'
import type { PublishContext } from './context.ts'
import { issue, quoted } from './issue.ts'
import { referencesInCondition, type Reference } from './references.ts'

/** A condition of the flow itself; conditions inside expressions are checked with them. */
export interface ConditionSite {
  readonly condition: unknown
  readonly path: JsonPointer
  /** The step at which it is evaluated. */
  readonly nodeKey: string
}

export function checkConditions(context: PublishContext): readonly PublishIssue[] {
  return conditionSites(context).flatMap((site) => checkSite(context, site))
}

export function conditionSites(context: PublishContext): readonly ConditionSite[] {
  return [...edgeSites(context), ...elementSites(context), ...ruleSites(context)]
}

function edgeSites({ definition }: PublishContext): readonly ConditionSite[] {
  return definition.edges.map(({ condition, from }, place) => ({
    condition,
    path: pointer('/edges', place, 'condition'),
    nodeKey: from,
  }))
}

function elementSites({ elements }: PublishContext): readonly ConditionSite[] {
  return elements.flatMap(({ element, path, node }) => {
    const options = element.kind === 'field' ? (element.options ?? []) : []
    return [
      { condition: element.show_if, path: pointer(path, 'show_if'), nodeKey: node.key },
      ...options.map(({ available_if }, place) => ({
        condition: available_if,
        path: pointer(path, 'options', place, 'available_if'),
        nodeKey: node.key,
      })),
    ]
  })
}

function ruleSites({ rules }: PublishContext): readonly ConditionSite[] {
  return rules.map(({ rule, path, node }) => ({
    condition: rule.condition,
    path: pointer(path, 'condition'),
    nodeKey: node.key,
  }))
}

function checkSite(context: PublishContext, site: ConditionSite): readonly PublishIssue[] {
  const parsed = parseCondition(site.condition ?? null)
  if (!parsed.ok) {
    const { path, message } = parsed.refusal
    return [issue('condition.invalid', pointer(site.path, ...path), message)]
  }
  // An edge from a step that does not exist has a finding of its own; the step of its condition is unknown.
  if (!context.graph.nodes.has(site.nodeKey)) return []
  return referencesInCondition(parsed.value, site.path).flatMap((read) => checkRead(context, site, read))
}

function checkRead(
  context: PublishContext,
  { nodeKey }: ConditionSite,
  { key, path }: Reference,
): readonly PublishIssue[] {
  switch (context.stateOf(key, nodeKey)) {
    case 'available':
      return []
    case 'unknown':
      return [issue('condition.invalid', path, `the flow has no ${quoted(key)}`)]
    case 'answer_missing':
      return [issue('condition.invalid', path, `${quoted(key)} is not answered by then`)]
    case 'constant_missing':
      return [issue('constant.ref_not_answerable', path, quoted(key))]
  }
}
