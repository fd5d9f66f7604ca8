import { compilePattern } from '../patterns/pattern.ts'
import { checkNames } from '../values/checks.ts'
import { envelopeKeys } from '../values/envelope.ts'
import { entryInputs } from '../values/primitives.ts'
import type { InheritedColumns } from './registry.ts'
import type { RowReason } from './row-reasons.ts'
import type { FieldEntry, FieldTypeRow, RowProblem } from './row.ts'

/** Names of types and keys of entries. */
export const namePattern = /^[a-z0-9_]{1,40}$/

/** The entries of the row itself, and those it inherits where its own input makes it a file type. */
export function validateEntryRows(row: FieldTypeRow, { input, fields }: InheritedColumns): readonly RowProblem[] {
  const isFile = input === 'file' || input === 'pages'
  if (row.fields !== null) {
    const keys = row.fields.map((entry) => entry.key)
    return row.fields.flatMap((entry, index) =>
      validateEntryRow(entry, isFile, keys.indexOf(entry.key) < index).map(([member, reason]) => ({
        path: ['fields', index, member],
        reason,
      })),
    )
  }
  const clashes = isFile && (fields ?? []).some((entry) => isEnvelopeKey(entry.key))
  return clashes ? [{ path: ['fields'], reason: 'key_reserved' }] : []
}

export function validateOptions(options: readonly string[] | null): RowReason | null {
  const list = options ?? []
  return list.includes('') || new Set(list).size < list.length ? 'options_invalid' : null
}

export function validatePatternColumn(validation: string | null): RowReason | null {
  if (validation === null) return null
  const compiled = compilePattern(validation)
  return compiled.ok ? null : compiled.refusal
}

type MemberProblem = readonly [member: keyof FieldEntry, reason: RowReason]

function validateEntryRow(entry: FieldEntry, isFile: boolean, isTaken: boolean): readonly MemberProblem[] {
  const found: readonly (readonly [keyof FieldEntry, RowReason | null])[] = [
    ['key', validateKey(entry.key, isFile, isTaken)],
    ['input', entryInputs.some((input) => input === entry.input) ? null : 'field_input_unknown'],
    ['check', validateEntryCheck(entry.check)],
    ['validation', validatePatternColumn(entry.validation)],
    ['options', validateEntryOptions(entry)],
  ]
  return found.flatMap(([member, reason]) => (reason === null ? [] : [[member, reason] as const]))
}

function validateKey(key: string, isFile: boolean, isTaken: boolean): RowReason | null {
  if (!namePattern.test(key)) return 'key_invalid'
  if (isFile && isEnvelopeKey(key)) return 'key_reserved'
  return isTaken ? 'key_taken' : null
}

function validateEntryCheck(check: string | null): RowReason | null {
  if (check === 'pdf') return 'check_mismatch'
  return check === null || checkNames.some((name) => name === check) ? null : 'check_unknown'
}

function validateEntryOptions({ input, options }: FieldEntry): RowReason | null {
  return input === 'list' && (options ?? []).length === 0 ? 'options_missing' : validateOptions(options)
}

function isEnvelopeKey(key: string): boolean {
  return envelopeKeys.some((reserved) => reserved === key)
}
