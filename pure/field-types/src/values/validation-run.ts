import { validatePattern, type StepBudget } from '../patterns/pattern.ts'
import { applyCheck } from './checks.ts'
import { validatePrimitive } from './primitives.ts'
import type { ValueReason } from './value-reasons.ts'
import type { ValueProblem } from './verdict.ts'

/** The state of validating one value. */
export interface ValidationRun {
  /** At write the envelope must be complete and carry its files; a stored value is validated by the members it has. */
  readonly atWrite: boolean
  readonly problems: ValueProblem[]
  readonly budget: StepBudget
  /** Paths of files and MIME types that are not a PDF's, for the check of that name. */
  readonly notPdf: Path[]
  fileBytes: number
}

export type Path = ValueProblem['path']

/** The rules of one text: a type's own, or an entry's. */
export interface TextRules {
  readonly input: string | null
  readonly check: string | null
  readonly validations: readonly string[]
  readonly options: readonly string[]
}

/** The stated order: the primitive, then the check, then every regex. The first refusal ends it. */
export function validateText(rules: TextRules, text: string, budget: StepBudget): ValueReason | null {
  return validatePrimitive(rules.input, text, rules.options) ?? validateForm(rules, text, budget)
}

/** Check and regexes; these see the text as the check normalises it, never as a primitive reads it. */
export function validateForm(
  rules: Pick<TextRules, 'check' | 'validations'>,
  text: string,
  budget: StepBudget,
): ValueReason | null {
  const checked = applyCheck(rules.check, text)
  if (!checked.ok) return checked.refusal
  for (const pattern of rules.validations) {
    const reason = validatePattern(pattern, checked.value, budget)
    if (reason !== null) return reason
  }
  return null
}

export function note(run: ValidationRun, path: Path, reason: ValueReason | null): void {
  if (reason !== null) run.problems.push({ path, reason })
}
