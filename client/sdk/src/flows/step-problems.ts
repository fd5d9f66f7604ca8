import { type Registry, resolveType, isBinary, validateWrite, valueReasons } from '@sealpost/field-types'
import { checkAnswer, type FieldElement, type Turn, turnProblems } from '@sealpost/flow/run'
import type { StepProblem } from './flow-error.ts'
import type { GivenAnswer } from './given-answers.ts'

const sentences = {
  missing: 'It is required.',
  option_closed: 'It is not one of the options that are open now.',
  below_min: 'It is below the minimum.',
  above_max: 'It is above the maximum.',
  type_not_accepted: 'The field of the profile has another type.',
  value_invalid: 'It is not valid for its type.',
  link_required: 'It must come from the profile: give {from}.',
  link_not_allowed: 'It may not come from the profile: give {value}.',
  verification_required: 'The field of the profile is not verified, or too long ago.',
  picks_invalid: 'The picks do not fit any more: pick again.',
} as const satisfies Record<StepProblem['reason'], string>

interface Checking {
  readonly registry: Registry
  readonly turn: Turn
  readonly texts: ReadonlyMap<string, string>
  readonly given: ReadonlyMap<string, GivenAnswer>
  readonly now: number
}

/** All problems of the answers to a step: required ones, options and bounds, types, and links to the profile. */
export function problemsOf(checking: Checking): readonly StepProblem[] {
  const { turn, given, texts, now, registry } = checking
  const ofStep = turnProblems(turn).map(({ slug, reason }) => problem(slug, reason))
  const fields = turn.elements.filter((one): one is FieldElement => one.kind === 'field')
  const ofAnswers = fields.flatMap((field) => {
    const text = texts.get(field.slug) ?? ''
    // A closed option is not reported again as an invalid value.
    if (text === '' || ofStep.some(({ slug, reason }) => slug === field.slug && reason === 'option_closed')) return []
    const { source = null } = given.get(field.slug) ?? {}
    return [...typeProblems(registry, field, text, source?.type), ...linkProblems(field, source, now)]
  })
  return [...ofStep, ...ofAnswers]
}

function typeProblems(registry: Registry, field: FieldElement, text: string, linked?: string): readonly StepProblem[] {
  const { slug, field_type: type } = field
  const checked = checkAnswer(registry, field, text, linked)
  if (!checked.ok) {
    if (checked.refusal.reason === 'type_not_accepted') return [problem(slug, 'type_not_accepted')]
    return invalid(slug, checked.refusal.problems)
  }
  if (!isBinary(resolveType(registry, type))) return []
  const written = validateWrite(registry, linked ?? type, text, { maxMb: field.max_mb })
  return written.ok ? [] : invalid(slug, written.refusal)
}

type ValueProblems = Extract<ReturnType<typeof validateWrite>, { readonly ok: false }>['refusal']

function invalid(slug: string, problems: ValueProblems): readonly StepProblem[] {
  return problems.map(({ path, reason }) => {
    const sentence = valueReasons[reason]
    const shown = [...(path.length === 0 ? [] : [`${path.join('.')}:`]), sentence].join(' ')
    return { slug, reason: 'value_invalid', sentence: shown, value: { path, reason, sentence } }
  })
}

function linkProblems(field: FieldElement, source: GivenAnswer['source'], now: number): readonly StepProblem[] {
  const { slug, link } = field
  if (source === null) return link === 'connected' || link === 'verified' ? [problem(slug, 'link_required')] : []
  if (link === 'none') return [problem(slug, 'link_not_allowed')]
  return link === 'verified' && !isVerified(field, source, now) ? [problem(slug, 'verification_required')] : []
}

const DAY_MS = 86_400_000

function isVerified(field: FieldElement, source: NonNullable<GivenAnswer['source']>, now: number): boolean {
  const { verified_at: at, verified_expires_at: end = null } = source
  if (at === undefined || (end !== null && Date.parse(end) <= now)) return false
  const { verified_max_age_days: days } = field
  return days === undefined || now - Date.parse(at) <= days * DAY_MS
}

function problem(slug: string, reason: StepProblem['reason']): StepProblem {
  return { slug, reason, sentence: sentences[reason] }
}
