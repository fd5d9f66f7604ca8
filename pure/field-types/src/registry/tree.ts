import { ancestry, type Registry, type TypeNode } from './registry.ts'

/** A slot accepts a field of its own type or of any type below it. */
export function accepts(registry: Registry, requested: string, actual: string): boolean {
  if (requested === actual) return true
  for (const { row } of ancestry(registry.nodes.get(actual))) {
    if (row.type === requested) return true
  }
  return false
}

/** The type of a field in expressions: dates and numbers below their root count as such. */
export function effectiveType(registry: Registry, type: string): string {
  for (const { row } of ancestry(registry.nodes.get(type))) {
    if (row.type === 'date' || row.type === 'number') return row.type
  }
  return type
}

export interface PickerLabels {
  /** The label in the reader's language; otherwise the row's own. */
  readonly label?: (type: string) => string | undefined
  /** How two labels sort in that language; otherwise by lower-cased code units, which are the same everywhere. */
  readonly compare?: (left: string, right: string) => number
}

/** The order of a picker: roots by label, each followed by its children; types that the registry lacks come last. */
export function orderTypes(registry: Registry, types: Iterable<string>, labels: PickerLabels = {}): readonly string[] {
  const wanted = new Set(types)
  const ordered = listTree(registry, labels).filter((type) => wanted.has(type))
  const unknown = Array.from(wanted).filter((type) => !registry.nodes.has(type))
  return [...ordered, ...unknown]
}

/** Iterative, since a hostile chain of parents may be deeper than the stack. */
function listTree(registry: Registry, labels: PickerLabels): readonly string[] {
  const children = childrenByParent(registry, labels)
  const ordered: string[] = []
  const pending = [...(children.get(null) ?? [])].toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    ordered.push(node.row.type)
    for (const child of (children.get(node) ?? []).toReversed()) pending.push(child)
  }
  return ordered
}

function childrenByParent(registry: Registry, labels: PickerLabels): ReadonlyMap<TypeNode | null, TypeNode[]> {
  const children = new Map<TypeNode | null, TypeNode[]>()
  for (const node of registry.nodes.values()) {
    const siblings = children.get(node.parent)
    if (siblings === undefined) children.set(node.parent, [node])
    else siblings.push(node)
  }
  for (const siblings of children.values()) siblings.sort(byLabel(labels))
  return children
}

function byLabel({ label, compare = compareText }: PickerLabels) {
  const text = (node: TypeNode): string => label?.(node.row.type) ?? node.row.label
  return (left: TypeNode, right: TypeNode): number =>
    compare(text(left), text(right)) || compareText(left.row.type, right.row.type)
}

function compareText(left: string, right: string): number {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()]
  if (a === b) return 0
  return a < b ? -1 : 1
}
