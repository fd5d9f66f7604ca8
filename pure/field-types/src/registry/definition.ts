import { ancestry, type InheritedColumns, type Registry } from './registry.ts'

/** A type with everything it inherits: the rules for its values. */
export interface TypeDefinition extends InheritedColumns {
  readonly type: string
  readonly parent: string | null
  readonly label: string
  readonly is_system: boolean
  /** False for a type that the registry does not carry: such a type accepts any value. */
  readonly known: boolean
  /** Every regex of the lineage, root first. */
  readonly validations: readonly string[]
}

export function resolveType(registry: Registry, type: string): TypeDefinition {
  const node = registry.nodes.get(type)
  if (node === undefined) return absentType(type)
  const { parent, label, is_system } = node.row
  const patterns = Array.from(ancestry(node), (ancestor) => ancestor.row.validation)
  const validations = patterns.filter((pattern) => pattern !== null).toReversed()
  return { type, parent, label, is_system, known: true, ...node.inherited, validations }
}

/** System labels are translation keys; an operator's label is shown unchanged. */
export function displayLabel(
  row: Pick<TypeDefinition, 'label' | 'is_system'>,
  translate: (key: string) => string | undefined,
): string {
  return row.is_system ? (translate(row.label) ?? row.label) : row.label
}

function absentType(type: string): TypeDefinition {
  return {
    type,
    parent: null,
    label: type,
    is_system: false,
    known: false,
    input: null,
    lane: null,
    check: null,
    options: null,
    fields: null,
    validations: [],
  }
}
