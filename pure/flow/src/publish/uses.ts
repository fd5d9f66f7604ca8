import { keysReadByCondition, keysReadByExpression } from '@sealpost/expression'
import { parseText } from '@sealpost/text'
import { conditionSites } from './conditions.ts'
import type { PublishContext } from './context.ts'
import { fieldExpressions } from './defaults.ts'
import { templateTagKey } from './template-tags.ts'

/** Every key that any part of the flow reads: computed values, conditions, texts and templates. */
export function keysUsed(context: PublishContext): ReadonlySet<string> {
  return new Set([
    ...context.constants.flatMap(({ constant }) => keysReadByExpression(constant.expr)),
    ...fieldExpressions(context).flatMap(({ written }) => keysReadByExpression(written)),
    ...conditionSites(context).flatMap(({ condition }) => keysReadByCondition(condition)),
    ...keysInElements(context),
    ...keysInTemplates(context),
  ])
}

function keysInElements({ definition, elements }: PublishContext): readonly string[] {
  const parties = new Set(definition.parties.map((party) => party.key))
  return elements.flatMap(({ element }) => {
    if (element.kind === 'plugin') return Object.values(element.plugin.inputs)
    if (element.kind !== 'text') return []
    return parseText(element.body, parties).tags.flatMap((tag) => (tag.kind === 'value' ? [tag.key] : []))
  })
}

function keysInTemplates({ facts, rules }: PublishContext): readonly string[] {
  return rules.flatMap(({ rule }) => {
    const tags = rule.asset_key === undefined ? [] : (facts.templates.get(rule.asset_key) ?? [])
    return tags.map(templateTagKey)
  })
}
