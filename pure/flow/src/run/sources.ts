import { parseText } from '@sealpost/text'
import type { Definition, FlowNode, OutputRule, SourceConnection } from '../definition/definition.ts'

/** The source of a rule's PDF. */
export type RuleSource =
  | { readonly kind: 'template'; readonly asset_key: string }
  | { readonly kind: 'field'; readonly slug: string; readonly source_key: string }
  | ({ readonly kind: 'connection'; readonly source_key: string } & SourceConnection)

/** Null when the rule names no source or several. */
export function sourceOf(rule: OutputRule): RuleSource | null {
  const named = namedSources(rule)
  const [only] = named
  return named.length === 1 && only !== undefined ? only : null
}

export function namedSources(rule: OutputRule): readonly RuleSource[] {
  const { asset_key, source_field, source_connection } = rule
  return [
    ...(asset_key === undefined ? [] : [{ kind: 'template', asset_key } as const]),
    ...(source_field === undefined ? [] : [fieldSource(source_field)]),
    ...(source_connection === undefined ? [] : [connectionSource(source_connection)]),
  ]
}

function fieldSource(slug: string): RuleSource {
  return { kind: 'field', slug, source_key: `field:${slug}` }
}

function connectionSource({ party, request_slug }: SourceConnection): RuleSource {
  return { kind: 'connection', party, request_slug, source_key: `conn:${party}:${request_slug}` }
}

/** The participants' PDFs that the rules of a step name, in rule order, each once. */
export function participantSources(node: FlowNode): readonly Exclude<RuleSource, { kind: 'template' }>[] {
  const byKey = new Map<string, Exclude<RuleSource, { kind: 'template' }>>()
  for (const rule of (node.outputs ?? []).flatMap((output) => output.rules)) {
    const source = sourceOf(rule)
    if (source === null || source.kind === 'template' || byKey.has(source.source_key)) continue
    byKey.set(source.source_key, source)
  }
  return [...byKey.values()]
}

/** The source keys for which the generating party must upload a PDF: those named here that the run holds. */
export function heldSources(node: FlowNode, isHeld: (sourceKey: string) => boolean): readonly string[] {
  return participantSources(node)
    .map((source) => source.source_key)
    .filter(isHeld)
}

/** The files that a start of a run copies from the customers: every connection source of any step, each once. */
export function connectionSources(definition: Definition): readonly (SourceConnection & { source_key: string })[] {
  const byKey = new Map<string, SourceConnection & { source_key: string }>()
  for (const source of definition.nodes.flatMap(participantSources)) {
    if (source.kind !== 'connection') continue
    const { party, request_slug, source_key } = source
    byKey.set(source_key, { party, request_slug, source_key })
  }
  return [...byKey.values()]
}

export interface PartyTag {
  readonly party: string
  readonly field: string
}

/** The party values that the flow's texts name, each once: a start of a run must supply them. */
export function partyTags(definition: Definition): readonly PartyTag[] {
  const parties = new Set(definition.parties.map(({ key }) => key))
  const found = new Map<string, PartyTag>()
  for (const element of definition.nodes.flatMap((node) => node.elements)) {
    if (element.kind !== 'text') continue
    for (const tag of parseText(element.body, parties).tags) {
      if (tag.kind === 'party') found.set(`${tag.party}.${tag.field}`, { party: tag.party, field: tag.field })
    }
  }
  return [...found.values()]
}
