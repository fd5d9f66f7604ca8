import type { ConnectionView } from '../../worker/commands/connections.ts'
import type { FieldView, TypeView } from '../../worker/commands/data.ts'
import { type Viewer, viewersOf } from '../data/viewers.ts'

/** A value and everybody who can open it. */
export interface SeenValue {
  readonly key: string
  /** Null for a value that was typed for one service alone: only that service can open it. */
  readonly field: FieldView | null
  readonly label: string
  /** What was typed, with its type; null where no device has kept it. */
  readonly typed: { readonly type: TypeView; readonly text: string } | null
  readonly viewers: readonly Viewer[]
}

/** What most can open comes first; what no service can comes last. */
export function seenValues(fields: readonly FieldView[], connections: readonly ConnectionView[]): readonly SeenValue[] {
  const own = fields.flatMap((field): readonly SeenValue[] =>
    field.value === null
      ? []
      : [{ key: field.id, field, label: field.label, typed: null, viewers: viewersOf(field.id, connections) }],
  )
  const known = new Set(own.map(({ key }) => key))
  return [...own, ...connections.flatMap((connection) => typedValues(connection, known))].toSorted(
    (one, other) => other.viewers.length - one.viewers.length,
  )
}

export function seenBy(values: readonly SeenValue[], connectionId: string): number {
  return values.filter(({ viewers }) => viewers.some(({ connection }) => connection.id === connectionId)).length
}

/** Also copies of a field whose value was deleted since: the service still has them. */
function typedValues(connection: ConnectionView, known: ReadonlySet<string>): readonly SeenValue[] {
  return connection.asked.flatMap(({ slug, label, type, given }) => {
    if (given === null || (given.fieldId !== null && known.has(given.fieldId))) return []
    const viewer = { connection, slug, isLive: given.isLive, since: given.since }
    const typed = given.typed === null ? null : { type, text: given.typed }
    return [{ key: `${connection.id} ${slug}`, field: null, label, typed, viewers: [viewer] }]
  })
}
