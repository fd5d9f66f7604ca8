import { parseText } from '@sealpost/text'
import type { Definition } from '../definition/definition.ts'

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
