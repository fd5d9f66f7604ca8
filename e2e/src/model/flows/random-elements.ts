import type { Dice } from '@sealpost/testkit/dice'
import { FIELD_TYPES, type FieldKind, WORDS } from './field-values.ts'
import { literal, randomCondition, type ReadableKey, typeOfKind } from './random-expressions.ts'
import type { WrittenElement, WrittenField, WrittenParty } from './written.ts'

/** The names of a service that texts and rules may use. */
export interface FlowFacts {
  /** Request fields, open to all customers, that are no files. */
  readonly requestSlugs: readonly string[]
  /** A request field of the type `pdf_document`. */
  readonly deedSlug: string
  /** Profile fields of the company. */
  readonly profileSlugs: readonly string[]
}

export interface Ground {
  readonly dice: Dice
  readonly facts: FlowFacts
  readonly parties: readonly WrittenParty[]
  /** Of the fields, those that ask for a file. */
  readonly fileShare: number
  /** Whether documents may be made from a template, too. */
  readonly hasTemplate?: boolean
}

interface Wish {
  /** Of the step. */
  readonly place: number
  /** The keys that the steps before this one answer. */
  readonly earlier: readonly ReadableKey[]
  readonly needsPdf: boolean
}

/** The elements of a step, and the keys that it answers. */
export function randomElements(ground: Ground, { place, earlier, needsPdf }: Wish) {
  const { dice } = ground
  const elements: WrittenElement[] = []
  const keys: ReadableKey[] = []
  const known = (): readonly ReadableKey[] => [...earlier, ...keys]
  const count = dice.below(4)
  for (let turn = 0; turn < count; turn += 1) {
    if (dice.chance(0.25)) {
      elements.push(randomTextElement(ground, known()))
      continue
    }
    const { field, key } = randomField(ground, `s${place}_${turn}`, known())
    elements.push(field)
    keys.push(key)
  }
  if (needsPdf) {
    const slug = `s${place}_pdf`
    elements.push({ kind: 'field', slug, field_type: 'pdf_document', label: 'Paper', required: dice.chance(0.5) })
    keys.push({ key: slug, kind: 'file' })
  }
  return { elements, keys }
}

function randomTextElement({ dice, facts, parties }: Ground, known: readonly ReadableKey[]): WrittenElement {
  const parts = ['Read [b]this[/b] with care.', String.raw`A bracket: \[`, '[a href=https://example.com]Terms[/a]']
  const named = dice.pick(parties)
  const isOwner = named.type === 'owner' || named.key === 'us'
  if (known.length > 0 && dice.chance(0.5)) parts.push(`You said {{${dice.pick(known).key}}}.`)
  if (dice.chance(0.4)) parts.push(`{{${named.key}.${dice.pick(isOwner ? facts.profileSlugs : facts.requestSlugs)}}}`)
  return { kind: 'text', body: parts.join(' '), ...shownIf(dice, known) }
}

function shownIf(dice: Dice, known: readonly ReadableKey[]) {
  return known.length > 0 && dice.chance(0.3) ? { show_if: randomCondition(dice, known) } : {}
}

function randomField({ dice, fileShare }: Ground, slug: string, known: readonly ReadableKey[]) {
  const { type, kind } = randomType(dice, fileShare)
  const options = kind === 'choice' || kind === 'many' ? randomOptions(dice, known) : null
  const field: WrittenField = {
    kind: 'field',
    slug,
    field_type: type,
    label: `Field ${slug}`,
    required: dice.chance(0.6),
    ...shownIf(dice, known),
    ...(options === null ? {} : { options }),
    ...(kind === 'file' && dice.chance(0.3) ? { max_mb: 1 } : {}),
    ...(type === 'gender' ? {} : randomDefault(dice, kind, known)),
    ...randomBounds(dice, kind),
  }
  const values = options?.map(({ value }) => value)
  return { field, key: { key: slug, kind, ...(values === undefined ? {} : { values }) } }
}

/** The first one is always open. */
function randomOptions(dice: Dice, known: readonly ReadableKey[]): NonNullable<WrittenField['options']> {
  return WORDS.slice(0, 2 + dice.below(3)).map((value, place) => ({
    value,
    label: value.toUpperCase(),
    ...(place > 0 && known.length > 0 && dice.chance(0.4) ? { available_if: randomCondition(dice, known) } : {}),
  }))
}

function randomDefault(dice: Dice, kind: ReadableKey['kind'], known: readonly ReadableKey[]) {
  if ((kind !== 'number' && kind !== 'date' && kind !== 'text') || !dice.chance(0.25)) return {}
  const same = known.filter((one) => one.kind === kind && typeOfKind(one.kind) === typeOfKind(kind))
  const isRead = same.length > 0 && dice.chance(0.5)
  return { default: isRead ? { type: 'ref' as const, key: dice.pick(same).key } : literal(dice, typeOfKind(kind)) }
}

function bound(value: number) {
  return { type: 'lit' as const, value_type: 'number' as const, value }
}

/** Wide enough for some value. */
function randomBounds(dice: Dice, kind: ReadableKey['kind']) {
  if (kind === 'number') {
    const least = dice.below(60)
    return {
      ...(dice.chance(0.2) ? { min: bound(least) } : {}),
      ...(dice.chance(0.2) ? { max: bound(least + 40) } : {}),
    }
  }
  return kind === 'date' && dice.chance(0.2) ? { max: { type: 'today' as const } } : {}
}

function randomType(dice: Dice, fileShare: number): { readonly type: string; readonly kind: FieldKind } {
  const kind = dice.chance(fileShare)
    ? ('file' as const)
    : dice.pick(['number', 'number', 'number', 'date', 'text', 'text', 'choice', 'many', 'composite'] as const)
  return { type: dice.pick<string>(FIELD_TYPES[kind]), kind }
}
