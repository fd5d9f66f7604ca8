import { answerElements, type FlowNode } from '@sealpost/flow/run'
import type { ContactValue } from '../customer/contact-data.ts'
import type { FieldTypes } from '../values/field-types.ts'
import { type PlainInput, writeInput } from '../values/plain-input.ts'
import type { FlowAnswer, FlowAnswers } from './answer.ts'

/** A given answer as text, not validated yet. */
export interface GivenAnswer {
  readonly text: string
  readonly isPrivate: boolean
  /** The profile field that it comes from; null for a value of its own. */
  readonly source: ContactValue | null
}

/** The own profile of a customer. */
export interface Profile {
  read(fieldId: string): Promise<{
    readonly record: ContactValue
    readonly text: string
    readonly isPrivate: boolean
  }>
}

/** By slug; empty text for an answer that is to stay empty. Throws for a slug that the step does not ask for. */
export async function readGiven(
  answers: FlowAnswers,
  node: FlowNode,
  types: FieldTypes,
  profile: Profile | null,
): Promise<ReadonlyMap<string, GivenAnswer>> {
  const elements = answerElements(node)
  const given = new Map<string, GivenAnswer>()
  for (const [slug, answer] of Object.entries(answers)) {
    const element = elements.find((one) => one.slug === slug) ?? unknownSlug(slug, node)
    const type = element.kind === 'field' ? element.field_type : 'text'
    given.set(slug, await readAnswer(answer, type, types, profile))
  }
  return given
}

async function readAnswer(
  answer: FlowAnswer,
  type: string,
  types: FieldTypes,
  profile: Profile | null,
): Promise<GivenAnswer> {
  if (answer === null) return { text: '', isPrivate: false, source: null }
  if ('value' in answer)
    return { text: normalText(types, type, answer.value), isPrivate: answer.private ?? false, source: null }
  if ('plugin' in answer) return { text: answer.plugin.text ?? '', isPrivate: false, source: null }
  if (profile === null) throw new TypeError('only a customer answers from a profile: give {value} instead of {from}')
  const { record, text, isPrivate } = await profile.read(answer.from)
  return { text, isPrivate, source: record }
}

function normalText(types: FieldTypes, type: string, value: PlainInput): string {
  return types.normalise(type, writeInput(types, type, value))
}

function unknownSlug(slug: string, node: FlowNode): never {
  const asked = answerElements(node)
    .map((one) => one.slug)
    .join(', ')
  throw new TypeError(`step ${node.key} does not ask for ${slug}; it asks for ${asked === '' ? 'nothing' : asked}`)
}
