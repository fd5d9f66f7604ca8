import { formatValue, isAnswered } from '@sealpost/expression'
import type { Choice, Definition, FieldElement, FlowElement } from '@sealpost/flow/run'
import { fillText, parseText, printPlain, type Resolve, type Tag } from '@sealpost/text'
import type { TagTexts } from './open-tags.ts'
import type { PreparedStep } from './prepare-step.ts'
import type { FlowStep, NextStep, StepElement } from './step.ts'

export function describeStep(prepared: PreparedStep, tags: TagTexts): FlowStep {
  const { key, title, party } = prepared.turn.node
  return {
    key,
    title,
    party,
    elements: prepared.turn.elements.flatMap((element) => describeElement(prepared, element, tags)),
    constants: prepared.turn.constants.map(({ key: own, label, text }) => ({ key: own, label, text })),
    problems: prepared.problems,
    next: nextStep(prepared.definition, prepared.choice),
  }
}

function describeElement(prepared: PreparedStep, element: FlowElement, tags: TagTexts): readonly StepElement[] {
  switch (element.kind) {
    case 'field':
      return [describeField(prepared, element)]
    case 'text':
      return [describeText(prepared, element.body, tags)]
    case 'image':
      return [{ kind: 'image', assetKey: element.asset_key, alt: element.alt }]
    case 'plugin':
      return [{ kind: 'plugin', slug: element.slug, label: element.label, required: element.required }]
    case 'unrecognised':
      return []
  }
}

function describeField({ turn, drafts }: PreparedStep, field: FieldElement): StepElement {
  const { slug, field_type: type, label, help = null, required, link = null } = field
  const { min, max } = turn.bounds.get(slug) ?? {}
  const draft = drafts.find((one) => one.slug === slug)
  return {
    kind: 'field',
    slug,
    type,
    label,
    help,
    required,
    options: turn.options.get(slug)?.map(({ value, label: shown }) => ({ value, label: shown })) ?? null,
    min: boundText(min),
    max: boundText(max),
    link,
    text: draft === undefined || draft.isFile ? null : draft.text,
    isPrivate: draft?.isPrivate ?? false,
  }
}

function boundText(bound: unknown): string | null {
  return isAnswered(bound) && typeof bound !== 'boolean' ? formatValue(bound) : null
}

function describeText({ definition, turn }: PreparedStep, body: string, tags: TagTexts): StepElement {
  const parties = new Set(definition.parties.map(({ key }) => key))
  const text = parseText(body, parties)
  const resolve: Resolve = (tag) => tagText(tag, turn.values, tags)
  return { kind: 'text', text: printPlain(text, resolve), parts: fillText(text, resolve) }
}

function tagText(tag: Tag, values: ReadonlyMap<string, unknown>, tags: TagTexts): string | null {
  if (tag.kind === 'party') return tags.get(`${tag.party}.${tag.field}`) ?? null
  const value = values.get(tag.key)
  return isAnswered(value) ? formatValue(value) : null
}

export function nextStep(definition: Definition, choice: Choice): NextStep {
  if (choice.kind === 'leaf') return { kind: 'end' }
  const node = choice.kind === 'next' ? definition.nodes.find(({ key }) => key === choice.node) : undefined
  return node === undefined ? { kind: 'stuck' } : { kind: 'step', key: node.key, title: node.title, party: node.party }
}
