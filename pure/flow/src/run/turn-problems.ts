import { boundRefuses, isAnswered } from '@sealpost/expression'
import { accepts, validateValue, type Registry, type ValueProblem } from '@sealpost/field-types'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { FieldElement } from '../definition/definition.ts'
import type { Turn } from './turn.ts'

export interface TurnProblem {
  readonly slug: string
  readonly reason: 'missing' | 'option_closed' | 'below_min' | 'above_max'
}

/**
 * The reasons why a step cannot be submitted, beside the types of its answers. Checked by clients: a relay sees no
 * answer.
 */
export function turnProblems(turn: Turn): readonly TurnProblem[] {
  return turn.allowed.flatMap((slug) => {
    const value = turn.values.get(slug)
    if (!isAnswered(value)) return turn.required.includes(slug) ? [{ slug, reason: 'missing' as const }] : []
    return [...closedOptions(turn, slug, value), ...brokenBounds(turn, slug, value)]
  })
}

function closedOptions({ options }: Turn, slug: string, value: unknown): readonly TurnProblem[] {
  const open = options.get(slug)
  if (open === undefined) return []
  const isOpen = (one: unknown): boolean => open.some((option) => option.value === one)
  return isOpen(value) || chosen(value).every(isOpen) ? [] : [{ slug, reason: 'option_closed' }]
}

function brokenBounds({ bounds }: Turn, slug: string, value: unknown): readonly TurnProblem[] {
  const { min, max } = bounds.get(slug) ?? {}
  return [
    ...(boundRefuses('min', min, value) ? [{ slug, reason: 'below_min' as const }] : []),
    ...(boundRefuses('max', max, value) ? [{ slug, reason: 'above_max' as const }] : []),
  ]
}

/** The answer of a multiselect is the JSON of a list. */
function chosen(value: unknown): readonly unknown[] {
  const list = typeof value === 'string' && value.startsWith('[') ? listIn(value) : value
  return Array.isArray(list) ? list : [value]
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export type AnswerRefusal =
  | { readonly reason: 'type_not_accepted' }
  | { readonly reason: 'value_invalid'; readonly problems: readonly ValueProblem[] }

/**
 * Validates an answer's plaintext by the field of the pinned definition. `linkedType` is the type of the profile field
 * that it is linked from: a parent accepts types below it, validated by their own rules.
 */
export function checkAnswer(
  types: Registry,
  field: FieldElement,
  plaintext: unknown,
  linkedType: string = field.field_type,
): Result<null, AnswerRefusal> {
  if (!accepts(types, field.field_type, linkedType)) return decline({ reason: 'type_not_accepted' })
  const options = field.options?.map((option) => option.value)
  const verdict = validateValue(types, linkedType, plaintext, { options })
  return verdict.ok ? accept(null) : decline({ reason: 'value_invalid', problems: verdict.refusal })
}
