import type { ConnectionView } from '../../worker/commands/connections.ts'

/** A service that can open a value, and how it has it. */
export interface Viewer {
  readonly connection: ConnectionView
  readonly slug: string
  readonly isLive: boolean
  readonly since: string
}

/** Everybody who can open the value of a field. */
export function viewersOf(fieldId: string, connections: readonly ConnectionView[]): readonly Viewer[] {
  return connections.flatMap((connection) =>
    connection.asked.flatMap(({ slug, given }) =>
      given?.fieldId === fieldId ? [{ connection, slug, isLive: given.isLive, since: given.since }] : [],
    ),
  )
}
