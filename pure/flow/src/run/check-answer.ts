import { accepts, validateValue, type Registry, type ValueProblem } from '@sealpost/field-types'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { FieldElement } from '../definition/definition.ts'

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
