import { stepBudget } from '../patterns/pattern.ts'
import { resolveType, type TypeDefinition } from '../registry/definition.ts'
import type { Registry } from '../registry/registry.ts'
import { judgeEntries } from './entries.ts'
import { envelopeOf, judgeEnvelope, judgeUnknownMembers } from './envelope.ts'
import { membersOf, parseJson } from './json.ts'
import { type Judgement, judgeForm, judgeText, note } from './judgement.ts'
import { structuredInputs } from './primitives.ts'
import { type FileCaps, fileCapMb, megabytes } from './sizes.ts'
import { type Verdict, verdictOf } from './verdict.ts'

export interface ValueContext {
  /** The options of the step or question; they count only where the type has none of its own. */
  readonly options?: readonly string[] | undefined
}

export interface WriteContext extends ValueContext {
  readonly caps?: FileCaps | undefined
  /** What a flow's element lowers the cap of its files to. */
  readonly maxMb?: number | undefined
}

/**
 * Judges the plaintext of a stored or received value. An empty value is valid (whether an answer is required belongs to
 * the request row), and so is any value of a type that the registry does not carry.
 */
export function validateValue(registry: Registry, type: string, value: unknown, context: ValueContext = {}): Verdict {
  const judgement = newJudgement(false)
  judgeValue(resolveType(registry, type), value, context.options ?? [], judgement)
  return verdictOf(judgement.problems)
}

/** The same, and for a file what holds when it is written: a complete envelope, whole files, none above its cap. */
export function validateWrite(registry: Registry, type: string, value: unknown, context: WriteContext = {}): Verdict {
  const judgement = newJudgement(true)
  const definition = resolveType(registry, type)
  judgeValue(definition, value, context.options ?? [], judgement)
  const maxBytes = megabytes(fileCapMb(definition.lane, context.caps, context.maxMb))
  if (judgement.fileBytes > maxBytes) note(judgement, [], 'file_too_large')
  return verdictOf(judgement.problems)
}

function newJudgement(atWrite: boolean): Judgement {
  return { atWrite, problems: [], budget: stepBudget(), notPdf: [], fileBytes: 0 }
}

function judgeValue(
  definition: TypeDefinition,
  value: unknown,
  stepOptions: readonly string[],
  judgement: Judgement,
): void {
  if (!definition.known || value === '' || value === null || value === undefined) return
  if (typeof value !== 'string') return note(judgement, [], 'not_text')
  if (structuredInputs.some((input) => input === definition.input)) return judgeObject(definition, value, judgement)
  const { input, check, validations } = definition
  // The type's own options and the step's are never merged.
  const options = definition.options?.length ? definition.options : stepOptions
  note(judgement, [], judgeText({ input, check, validations, options }, value, judgement.budget))
}

/** Composite, file and pages: in the stated order, but all problems at once, since a form shows them side by side. */
function judgeObject(definition: TypeDefinition, text: string, judgement: Judgement): void {
  const members = membersOf(parseJson(text))
  if (members === null) return note(judgement, [], 'not_an_object')
  const shape = envelopeOf(definition)
  const entries = definition.fields ?? []
  const keys = new Set([...shape.rules.keys(), ...entries.map((entry) => entry.key)])
  judgeUnknownMembers((name) => keys.has(name), members, [], judgement)
  judgeEnvelope(shape, members, judgement)
  if (definition.check === 'pdf') for (const path of judgement.notPdf) note(judgement, path, 'not_a_pdf')
  note(judgement, [], judgeForm(definition, text, judgement.budget))
  judgeEntries(entries, members, judgement)
}
