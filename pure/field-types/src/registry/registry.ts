import type { FieldEntry, FieldTypeRow, Lane } from './row.ts'
import { readRow } from './row.ts'

/** All rows with their inherited columns. Maps throughout: `__proto__` and `123` are legal names of types. */
export interface Registry {
  readonly nodes: ReadonlyMap<string, TypeNode>
}

/** A row with its place in the tree. */
export interface TypeNode {
  readonly row: FieldTypeRow
  readonly parent: TypeNode | null
  readonly inherited: InheritedColumns
}

/** The columns that are inherited from the nearest ancestor where a row leaves them null. */
export interface InheritedColumns {
  readonly input: string | null
  readonly lane: Lane | null
  readonly check: string | null
  readonly options: readonly string[] | null
  readonly fields: readonly FieldEntry[] | null
}

/** A request row, a flow field or a claim may have this type; a registry row never. */
export const RESERVED_TYPE = 'plugin'

/** Total on any set of rows: the first of two rows with the same name counts. */
export function buildRegistry(rows: Iterable<FieldTypeRow>): Registry {
  const byName = new Map<string, FieldTypeRow>()
  for (const row of rows) {
    if (row.type !== RESERVED_TYPE && !byName.has(row.type)) byName.set(row.type, row)
  }
  const nodes = new Map<string, TypeNode>()
  for (const row of byName.values()) addLineage(row, byName, nodes)
  return { nodes }
}

/** A client's registry from `GET /api/contact-field-types`. A row that it cannot read counts as absent. */
export function readRegistry(document: unknown): Registry {
  if (!Array.isArray(document)) return buildRegistry([])
  return buildRegistry(
    document.flatMap((item: unknown) => {
      const row = readRow(item)
      return row.ok ? [row.value] : []
    }),
  )
}

export function* ancestry(node: TypeNode | undefined): Generator<TypeNode> {
  for (let at = node ?? null; at !== null; at = at.parent) yield at
}

/** Adds the row and its missing ancestors, so that a whole registry costs one step per row. */
function addLineage(row: FieldTypeRow, byName: ReadonlyMap<string, FieldTypeRow>, nodes: Map<string, TypeNode>): void {
  const { path, cycleStart } = climb(row, byName, nodes)
  for (let index = path.length - 1; index >= 0; index -= 1) {
    const at = path[index]
    if (at === undefined) continue
    // A row whose parents lead back to it counts as a root: the same tree for every reader, in any order of the rows.
    const parent = index >= cycleStart || at.parent === null ? null : (nodes.get(at.parent) ?? null)
    nodes.set(at.type, { row: at, parent, inherited: inherit(at, parent?.inherited) })
  }
}

function climb(
  row: FieldTypeRow,
  byName: ReadonlyMap<string, FieldTypeRow>,
  nodes: ReadonlyMap<string, TypeNode>,
): { readonly path: readonly FieldTypeRow[]; readonly cycleStart: number } {
  const path: FieldTypeRow[] = []
  const places = new Map<string, number>()
  let at: FieldTypeRow | undefined = row
  while (at !== undefined && !nodes.has(at.type)) {
    const seen = places.get(at.type)
    if (seen !== undefined) return { path, cycleStart: seen }
    places.set(at.type, path.length)
    path.push(at)
    at = at.parent === null ? undefined : byName.get(at.parent)
  }
  return { path, cycleStart: Number.POSITIVE_INFINITY }
}

function inherit(row: FieldTypeRow, from: InheritedColumns | undefined): InheritedColumns {
  return {
    input: row.input ?? from?.input ?? null,
    lane: row.lane ?? from?.lane ?? null,
    check: row.check ?? from?.check ?? null,
    options: row.options ?? from?.options ?? null,
    fields: row.fields ?? from?.fields ?? null,
  }
}
