import type { FieldEntry } from '../registry/row.ts'
import { type Judgement, judgeText, note } from './judgement.ts'
import type { ValueReason } from './value-reasons.ts'

/** The sub-fields of a composite, or the metadata beside a file. */
export function judgeEntries(
  entries: readonly FieldEntry[],
  members: ReadonlyMap<string, unknown>,
  judgement: Judgement,
): void {
  for (const entry of entries) note(judgement, [entry.key], judgeEntry(entry, members.get(entry.key), judgement))
}

function judgeEntry(entry: FieldEntry, value: unknown, { budget }: Judgement): ValueReason | null {
  if (value === undefined || value === '') return entry.required ? 'missing' : null
  if (typeof value !== 'string') return 'not_text'
  const validations = entry.validation === null ? [] : [entry.validation]
  return judgeText({ input: entry.input, check: entry.check, validations, options: entry.options ?? [] }, value, budget)
}
