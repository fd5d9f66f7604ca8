import { stepBudget } from '../patterns/pattern.ts'
import { resolveType, type TypeDefinition } from '../registry/definition.ts'
import type { Registry } from '../registry/registry.ts'
import type { FieldEntry } from '../registry/row.ts'
import { envelopeOf, validateEnvelope, validateUnknownMembers } from './envelope.ts'
import { membersOf, parseJson } from './json.ts'
import { structuredInputs } from './primitives.ts'
import { type FileCaps, fileCapMb, megabytes } from './sizes.ts'
import { type ValidationRun, validateForm, validateText, note } from './validation-run.ts'
import type { ValueReason } from './value-reasons.ts'
import { type Verdict, verdictOf } from './verdict.ts'

export interface ValueContext {
  /** The options of the step or question; they count only where the type has none of its own. */
  readonly options?: readonly string[] | undefined
}

export interface WriteContext extends ValueContext {
  readonly caps?: FileCaps | undefined
  /** The lower file limit of a flow's element. */
  readonly maxMb?: number | undefined
}

/**
 * Validates the plaintext of a stored or received value. An empty value is valid (whether an answer is required is
 * decided by the request row), and so is any value of a type that the registry lacks.
 */
export function validateValue(registry: Registry, type: string, value: unknown, context: ValueContext = {}): Verdict {
  const run = startRun(false)
  validateResolved(resolveType(registry, type), value, context.options ?? [], run)
  return verdictOf(run.problems)
}

/** The same, and for a file the rules for writing: a complete envelope, whole files, none above its maximum size. */
export function validateWrite(registry: Registry, type: string, value: unknown, context: WriteContext = {}): Verdict {
  const run = startRun(true)
  const definition = resolveType(registry, type)
  validateResolved(definition, value, context.options ?? [], run)
  const maxBytes = megabytes(fileCapMb(definition.lane, context.caps, context.maxMb))
  if (run.fileBytes > maxBytes) note(run, [], 'file_too_large')
  return verdictOf(run.problems)
}

function startRun(atWrite: boolean): ValidationRun {
  return { atWrite, problems: [], budget: stepBudget(), notPdf: [], fileBytes: 0 }
}

function validateResolved(
  definition: TypeDefinition,
  value: unknown,
  stepOptions: readonly string[],
  run: ValidationRun,
): void {
  if (!definition.known || value === '' || value === null || value === undefined) return
  if (typeof value !== 'string') return note(run, [], 'not_text')
  if (structuredInputs.some((input) => input === definition.input)) return validateObject(definition, value, run)
  const { input, check, validations } = definition
  // The type's own options and the step's are never merged.
  const options = definition.options?.length ? definition.options : stepOptions
  note(run, [], validateText({ input, check, validations, options }, value, run.budget))
}

/** Composite, file and pages: in the stated order, but all problems at once, since a form shows them side by side. */
function validateObject(definition: TypeDefinition, text: string, run: ValidationRun): void {
  const members = membersOf(parseJson(text))
  if (members === null) return note(run, [], 'not_an_object')
  const shape = envelopeOf(definition)
  const entries = definition.fields ?? []
  const keys = new Set([...shape.rules.keys(), ...entries.map((entry) => entry.key)])
  validateUnknownMembers((name) => keys.has(name), members, [], run)
  validateEnvelope(shape, members, run)
  if (definition.check === 'pdf') for (const path of run.notPdf) note(run, path, 'not_a_pdf')
  note(run, [], validateForm(definition, text, run.budget))
  validateEntries(entries, members, run)
}

/** The sub-fields of a composite, or the metadata beside a file. */
function validateEntries(
  entries: readonly FieldEntry[],
  members: ReadonlyMap<string, unknown>,
  run: ValidationRun,
): void {
  for (const entry of entries) note(run, [entry.key], validateEntry(entry, members.get(entry.key), run))
}

function validateEntry(entry: FieldEntry, value: unknown, { budget }: ValidationRun): ValueReason | null {
  if (value === undefined || value === '') return entry.required ? 'missing' : null
  if (typeof value !== 'string') return 'not_text'
  const validations = entry.validation === null ? [] : [entry.validation]
  return validateText(
    { input: entry.input, check: entry.check, validations, options: entry.options ?? [] },
    value,
    budget,
  )
}
