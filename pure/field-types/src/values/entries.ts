import type { FieldEntry } from '../registry/row.ts'
import { type ValidationRun, validateText, note } from './validation-run.ts'
import type { ValueReason } from './value-reasons.ts'

/** The sub-fields of a composite, or the metadata beside a file. */
export function validateEntries(
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
