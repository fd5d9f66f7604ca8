import { accept, decline, type Result } from '@sealpost/kernel'
import type { Problem } from '../problem.ts'
import type { RowReason } from './row-reasons.ts'

/** One row of the registry, named as on the wire. A null column is inherited from the parent. */
export interface FieldTypeRow {
  readonly type: string
  readonly parent: string | null
  /** A translation key when `is_system`, otherwise literal text. */
  readonly label: string
  /** A primitive; a newer platform may name an unknown one. */
  readonly input: string | null
  readonly lane: Lane | null
  readonly check: string | null
  readonly options: readonly string[] | null
  readonly fields: readonly FieldEntry[] | null
  /** A regex without anchors, matched against the whole value. */
  readonly validation: string | null
  readonly is_system: boolean
}

/** A sub-field of a composite, or metadata beside a file. */
export interface FieldEntry {
  readonly key: string
  readonly input: string | null
  readonly required: boolean
  readonly check: string | null
  readonly validation: string | null
  readonly options: readonly string[] | null
}

export const lanes = ['inline', 'photo', 'document'] as const
export type Lane = (typeof lanes)[number]

export type RowProblem = Problem<RowReason>

/**
 * Reads one row of a JSON document. Absent columns are null and unknown members are ignored, so that a reader
 * understands the rows of an older and of a newer platform.
 */
export function readRow(document: unknown): Result<FieldTypeRow, readonly RowProblem[]> {
  if (!isObject(document)) return decline([{ path: [], reason: 'row_malformed' }])
  const problems: RowProblem[] = []
  const columns = columnsOf(document, [], problems)
  const row: FieldTypeRow = {
    type: columns.text('type') ?? '',
    parent: columns.text('parent'),
    label: columns.text('label') ?? '',
    input: columns.text('input'),
    lane: columns.choice('lane', lanes),
    check: columns.text('check'),
    options: columns.texts('options'),
    fields: columns.entries('fields'),
    validation: columns.text('validation'),
    is_system: columns.flag('is_system'),
  }
  if (row.type === '') problems.push({ path: ['type'], reason: 'type_invalid' })
  return problems.length === 0 ? accept(row) : decline(problems)
}

type Json = Readonly<Record<string, unknown>>

/** The columns of a row, or the members of an entry: a member of the wrong shape is reported and reads as null. */
function columnsOf(source: Json, path: Problem<string>['path'], problems: RowProblem[]) {
  const read = <T>(column: string, parse: (value: unknown) => T | undefined): T | null => {
    const value = Object.hasOwn(source, column) ? source[column] : null
    if (value === null || value === undefined) return null
    const parsed = parse(value)
    if (parsed === undefined) problems.push({ path: [...path, column], reason: 'column_malformed' })
    return parsed ?? null
  }
  return {
    text: (column: string) => read(column, asText),
    texts: (column: string) => read(column, asTexts),
    flag: (column: string) => read(column, (value) => (typeof value === 'boolean' ? value : undefined)) ?? false,
    choice: <Choice extends string>(column: string, choices: readonly Choice[]) =>
      read(column, (value) => choices.find((choice) => choice === value)),
    entries: (column: string) =>
      read(column, (value) => (Array.isArray(value) ? readEntries(value, [...path, column], problems) : undefined)),
  }
}

function readEntries(
  entries: readonly unknown[],
  path: Problem<string>['path'],
  problems: RowProblem[],
): readonly FieldEntry[] {
  return entries.flatMap((entry, index) => {
    const place = [...path, index]
    if (isObject(entry)) return [readEntry(entry, place, problems)]
    problems.push({ path: place, reason: 'column_malformed' })
    return []
  })
}

function readEntry(entry: Json, path: Problem<string>['path'], problems: RowProblem[]): FieldEntry {
  const members = columnsOf(entry, path, problems)
  const key = members.text('key')
  if (key === null) problems.push({ path: [...path, 'key'], reason: 'column_malformed' })
  return {
    key: key ?? '',
    input: members.text('input'),
    required: members.flag('required'),
    check: members.text('check'),
    validation: members.text('validation'),
    options: members.texts('options'),
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function asTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
