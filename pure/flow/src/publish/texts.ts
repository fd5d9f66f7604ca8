import type { PublishIssue } from '@sealpost/protocol'
import { parseText, type Tag } from '@sealpost/text'
import { pointer, type JsonPointer } from '../definition/pointer.ts'
import type { PublishContext } from './context.ts'
import { issue, quoted } from './issue.ts'

export function checkTexts(context: PublishContext): readonly PublishIssue[] {
  const parties = new Set(context.definition.parties.map((party) => party.key))
  return context.elements.flatMap(({ element, path, node }) => {
    if (element.kind !== 'text') return []
    const at = pointer(path, 'body')
    const text = parseText(element.body, parties)
    return [
      ...text.forbiddenAddresses.map((address) => issue('text.link_invalid', at, quoted(address))),
      ...text.tags.flatMap((tag) => checkTag(context, { tag, path: at, nodeKey: node.key })),
    ]
  })
}

interface TagSite<Found extends Tag = Tag> {
  readonly tag: Found
  readonly path: JsonPointer
  readonly nodeKey: string
}

function checkTag(context: PublishContext, { tag, path, nodeKey }: TagSite): readonly PublishIssue[] {
  return tag.kind === 'value'
    ? checkValueTag(context, { tag, path, nodeKey })
    : checkPartyTag(context, { tag, path, nodeKey })
}

function checkValueTag(
  context: PublishContext,
  { tag, path, nodeKey }: TagSite<Tag & { kind: 'value' }>,
): readonly PublishIssue[] {
  switch (context.stateOf(tag.key, nodeKey)) {
    case 'available':
      return []
    case 'constant_missing':
      return [issue('constant.ref_not_answerable', path, quoted(tag.key))]
    case 'unknown':
      return [issue('text.tag_unknown', path, quoted(tag.key))]
    case 'answer_missing':
      return [issue('text.tag_unknown', path, `${quoted(tag.key)} is not answered by then`)]
  }
}

/**
 * A customer's tag is a request field that such customers see. The owner's profile values are filled in at the start of
 * a run, and an untyped party may be bound to the owner.
 */
function checkPartyTag(
  { definition, facts }: PublishContext,
  { tag, path }: TagSite<Tag & { kind: 'party' }>,
): readonly PublishIssue[] {
  const party = definition.parties.find(({ key }) => key === tag.party)
  if (party?.type !== 'person' && party?.type !== 'company') return []
  const audience = facts.requestFields.get(tag.field)?.audience
  if (audience === 'both' || audience === party.type) return []
  return [issue('text.tag_unknown', path, quoted(`${tag.party}.${tag.field}`))]
}
