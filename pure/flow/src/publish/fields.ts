import type { PublishIssue } from '@sealpost/protocol'
import type { FieldElement } from '../definition/definition.ts'
import { pointer, type JsonPointer } from '../definition/pointer.ts'
import { isAnswerElement } from '../graph/flow-keys.ts'
import type { PlacedElement, PublishContext } from './context.ts'
import { isFlowType, needsOptions } from './field-kinds.ts'
import { issue, quoted } from './issue.ts'

/** Checks of the elements of each step: kinds, slugs, types. */
export function checkFields(context: PublishContext): readonly PublishIssue[] {
  return [
    ...context.elements.flatMap(checkKind),
    ...checkSlugs(context),
    ...context.elements.flatMap(({ element, path }) =>
      element.kind === 'field' ? checkType(context, element, path) : [],
    ),
  ]
}

function checkKind({ element, path }: PlacedElement): readonly PublishIssue[] {
  if (element.kind !== 'unrecognised') return []
  return [issue('element.kind_invalid', pointer(path, 'kind'), quoted(element.written_kind))]
}

/** A text tag that begins with a party's key is read as that party's value, so no slug may be one. */
function checkSlugs({ definition, elements }: PublishContext): readonly PublishIssue[] {
  const taken = new Set(definition.parties.map((party) => party.key))
  return elements.flatMap(({ element, path }) => {
    if (!isAnswerElement(element)) return []
    const isTaken = taken.has(element.slug)
    taken.add(element.slug)
    return isTaken ? [issue('field.slug_duplicate', pointer(path, 'slug'), quoted(element.slug))] : []
  })
}

function checkType({ facts }: PublishContext, field: FieldElement, path: JsonPointer): readonly PublishIssue[] {
  if (!isFlowType(facts.types, field.field_type)) {
    return [issue('field.type_invalid', pointer(path, 'field_type'), quoted(field.field_type))]
  }
  if (!needsOptions(facts.types, field.field_type) || (field.options ?? []).length > 0) return []
  return [issue('field.type_invalid', pointer(path, 'options'), `${quoted(field.slug)} has no options to choose from`)]
}
