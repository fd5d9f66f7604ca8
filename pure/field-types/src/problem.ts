/**
 * A problem and its place: `path` leads into the value (or into the row), `reason` is a key for the reader's language.
 */
export interface Problem<Reason extends string> {
  readonly path: readonly (string | number)[]
  readonly reason: Reason
}
