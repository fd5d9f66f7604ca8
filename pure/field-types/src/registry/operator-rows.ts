import { accept, decline, type Result } from '@sealpost/kernel'
import { checkNames } from '../values/checks.ts'
import { membersOf } from '../values/json.ts'
import { scalarInputs, structuredInputs } from '../values/primitives.ts'
import { validateEntryRows, validateOptions, validatePatternColumn, namePattern } from './operator-entries.ts'
import { buildRegistry, type InheritedColumns, type Registry, RESERVED_TYPE } from './registry.ts'
import type { RowReason } from './row-reasons.ts'
import { type FieldTypeRow, readRow, type RowProblem } from './row.ts'

/**
 * Validates rows that an operator wants to add, all at once, so that they may be each other's parents: returns them as
 * they are to be stored, or refuses with every problem. Paths begin with the index of the row.
 */
export function checkOperatorRows(
  registry: Registry,
  documents: readonly unknown[],
): Result<readonly FieldTypeRow[], readonly RowProblem[]> {
  const read = documents.map((document) => readRow(document))
  const rows = read.flatMap((row) => (row.ok ? [row.value] : []))
  const together = buildRegistry([...Array.from(registry.nodes.values(), (node) => node.row), ...rows])
  const problems = read.flatMap((row, index) => {
    const found = row.ok ? validateRow(row.value, together) : row.refusal
    return [...unknownMembers(documents[index]), ...found].map(({ path, reason }) => ({
      path: [index, ...path],
      reason,
    }))
  })
  return problems.length === 0 ? accept(rows) : decline(problems)
}

const COLUMNS = ['type', 'parent', 'label', 'input', 'lane', 'check', 'options', 'fields', 'validation', 'is_system']
const ENTRY_MEMBERS = ['key', 'input', 'required', 'check', 'validation', 'options']

/** A reader ignores unknown members; from an operator they are typing errors. */
function unknownMembers(document: unknown): readonly RowProblem[] {
  const columns = membersOf(document)
  const fields = columns?.get('fields')
  const entries: readonly unknown[] = Array.isArray(fields) ? fields : []
  return [
    ...unknownNames(columns, COLUMNS).map((name) => [name]),
    ...entries.flatMap((entry, index) =>
      unknownNames(membersOf(entry), ENTRY_MEMBERS).map((name) => ['fields', index, name]),
    ),
  ].map((path) => ({ path, reason: 'member_unknown' }))
}

function unknownNames(members: ReadonlyMap<string, unknown> | null | undefined, known: readonly string[]) {
  return Array.from(members?.keys() ?? []).filter((name) => !known.includes(name))
}

function validateRow(row: FieldTypeRow, together: Registry): readonly RowProblem[] {
  const name = validateName(row)
  const node = together.nodes.get(row.type)
  if (name !== null || node?.row !== row) return [{ path: ['type'], reason: name ?? 'type_taken' }]
  const parent = validateParent(row, together)
  return [
    ...problemAt('label', row.label.trim() === '' && 'label_missing'),
    ...problemAt('is_system', row.is_system && 'system_reserved'),
    ...problemAt('parent', parent),
    ...problemAt('check', row.check !== null && !isCheck(row.check) && 'check_unknown'),
    ...problemAt('options', validateOptions(row.options)),
    ...problemAt('validation', validatePatternColumn(row.validation)),
    // The inherited columns of the row are unknown if its parent is.
    ...(parent === null ? validateColumns(node.inherited) : []),
    ...problemAt(
      'lane',
      node.parent !== null && isUnlike(node.inherited, node.parent.inherited) && 'lane_unlike_parent',
    ),
    ...validateEntryRows(row, node.inherited),
  ]
}

function validateName({ type }: FieldTypeRow): RowReason | null {
  if (type === RESERVED_TYPE) return 'type_reserved'
  return namePattern.test(type) ? null : 'type_invalid'
}

function validateParent({ type, parent }: FieldTypeRow, together: Registry): RowReason | null {
  if (parent === null) return null
  if (!together.nodes.has(parent)) return 'parent_unknown'
  // The registry makes a root of every row on a cycle.
  return together.nodes.get(type)?.parent === null ? 'parent_cycle' : null
}

/** Rules about inherited columns apply to the resolved row. */
function validateColumns({ input, lane, check, fields }: InheritedColumns): readonly RowProblem[] {
  const isStructured = structuredInputs.some((name) => name === input)
  const isComposite = input === 'composite'
  const isMisplaced = check === 'pdf' ? !isStructured || isComposite : isStructured && isCheck(check)
  return [
    ...problemAt('input', input === null && 'input_missing'),
    ...problemAt('lane', validateLane(input, lane)),
    ...problemAt('check', isMisplaced && 'check_mismatch'),
    ...problemAt('fields', isComposite && (fields ?? []).length === 0 && 'fields_missing'),
  ]
}

function validateLane(input: string | null, lane: InheritedColumns['lane']): RowReason | null {
  if (lane === null) return 'lane_missing'
  if (input === 'pages') return lane === 'document' ? null : 'lane_mismatch'
  if (input === 'file') return lane === 'inline' ? 'lane_mismatch' : null
  // The storage of values of an unknown primitive is unknown here.
  const isText = input === 'composite' || scalarInputs.some((name) => name === input)
  return isText && lane !== 'inline' ? 'lane_mismatch' : null
}

/** A request for the parent accepts values of this type, and its slots hold either texts or files. */
function isUnlike({ lane }: InheritedColumns, parent: InheritedColumns): boolean {
  return lane !== null && parent.lane !== null && (lane === 'inline') !== (parent.lane === 'inline')
}

function isCheck(check: string | null): boolean {
  return checkNames.some((name) => name === check)
}

function problemAt(column: string, reason: RowReason | false | null): readonly RowProblem[] {
  return reason === false || reason === null ? [] : [{ path: [column], reason }]
}
