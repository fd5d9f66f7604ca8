import type { PublishIssue } from '@sealpost/protocol'
import type { SourceConnection } from '../definition/definition.ts'
import { pointer, type JsonPointer } from '../definition/pointer.ts'
import { namedSources, sourceOf } from '../run/sources.ts'
import type { PlacedNode, PlacedRule, PublishContext } from './context.ts'
import { isPdfType } from './field-kinds.ts'
import { issue, quoted } from './issue.ts'
import { templateTagKey } from './template-tags.ts'

/** Checks of documents: the sources and signers of their rules, and whether they can be cancelled. */
export function checkOutputs(context: PublishContext): readonly PublishIssue[] {
  return [
    ...context.nodes.flatMap(checkCancellable),
    ...context.rules.flatMap((placed) => [...checkSource(context, placed), ...checkSigners(context, placed)]),
  ]
}

function checkCancellable({ node, path }: PlacedNode): readonly PublishIssue[] {
  return (node.outputs ?? []).flatMap(({ output_key, cancellable = false }, place) =>
    typeof cancellable === 'boolean'
      ? []
      : [issue('pdf.cancellable_invalid', pointer(path, 'outputs', place, 'cancellable'), quoted(output_key))],
  )
}

function checkSource(context: PublishContext, placed: PlacedRule): readonly PublishIssue[] {
  const source = sourceOf(placed.rule)
  if (source === null) {
    return [issue('pdf.source_invalid', placed.path, `there are ${namedSources(placed.rule).length}`)]
  }
  switch (source.kind) {
    case 'template':
      return checkTemplate(context, placed, source.asset_key)
    case 'field':
      return checkSourceField(context, source.slug, pointer(placed.path, 'source_field'))
    case 'connection':
      return checkSourceConnection(context, source, pointer(placed.path, 'source_connection'))
  }
}

function checkTemplate(context: PublishContext, { path, node }: PlacedRule, assetKey: string): readonly PublishIssue[] {
  const at = pointer(path, 'asset_key')
  const tags = context.facts.templates.get(assetKey)
  if (tags === undefined) return [issue('pdf.asset_missing', at, quoted(assetKey))]
  return tags
    .filter((tag) => context.stateOf(templateTagKey(tag), node.key) !== 'available')
    .map((tag) => issue('pdf.unknown_tag', at, `${quoted(tag)} in ${quoted(assetKey)}`))
}

function checkSourceField(context: PublishContext, slug: string, path: JsonPointer): readonly PublishIssue[] {
  const isPdfField = context.elements.some(
    ({ element }) =>
      element.kind === 'field' && element.slug === slug && isPdfType(context.facts.types, element.field_type),
  )
  return isPdfField ? [] : [issue('pdf.source_field_invalid', path, quoted(slug))]
}

function checkSourceConnection(
  { definition, facts }: PublishContext,
  { party: partyKey, request_slug }: SourceConnection,
  path: JsonPointer,
): readonly PublishIssue[] {
  const party = definition.parties.find(({ key }) => key === partyKey)
  if (party?.type !== 'person' && party?.type !== 'company') {
    const detail = `${quoted(partyKey)} is not a party of type person or company`
    return [issue('pdf.source_connection_invalid', pointer(path, 'party'), detail)]
  }
  const field = facts.requestFields.get(request_slug)
  const isOpen = field?.audience === 'both' || field?.audience === party.type
  if (field !== undefined && isOpen && isPdfType(facts.types, field.type)) return []
  return [issue('pdf.source_connection_invalid', pointer(path, 'request_slug'), quoted(request_slug))]
}

function checkSigners({ definition }: PublishContext, { rule, path }: PlacedRule): readonly PublishIssue[] {
  const signers = rule.signers ?? []
  return signers.flatMap(({ party, action }, place) => {
    const at = pointer(path, 'signers', place)
    const isKnown = definition.parties.some(({ key }) => key === party)
    const isTwice = signers.findIndex((signer) => signer.party === party) < place
    return [
      ...(isKnown ? [] : [issue('pdf.signers_invalid', pointer(at, 'party'), `there is no party ${quoted(party)}`)]),
      ...(isTwice ? [issue('pdf.signers_invalid', pointer(at, 'party'), `${quoted(party)} is named twice`)] : []),
      ...(ACTS.has(action) ? [] : [issue('pdf.signers_invalid', pointer(at, 'action'), quoted(action))]),
    ]
  })
}

const ACTS = new Set(['sign', 'accept'])
