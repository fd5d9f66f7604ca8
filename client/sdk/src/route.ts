declare const types: unique symbol

export type PathParams = Readonly<Record<string, string>>
export type Query = Readonly<Record<string, string | undefined>>

/** A tree for objects below, null for any other content, false for a member that the platform ignores on purpose. */
export interface BodyMembers {
  readonly [name: string]: BodyMembers | null | false
}

export interface RouteInput {
  readonly params?: PathParams
  readonly query?: Query
  readonly body?: unknown
}

export type NoInput = { readonly params?: never; readonly query?: never; readonly body?: never }

/** The part of an operation that a client needs at run time, with the types of its input and answer. */
export interface Route<Input extends RouteInput, Answer> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** The route takes an `Idempotency-Key`. */
  readonly creates?: true
  /** The same call again has no further effect, so it is repeated after a lost answer. */
  readonly repeatable?: true
  /** Members that every answer has; an answer without them did not come from this route. */
  readonly answers: readonly string[]
  /** The members that a body may have; absent without a body. */
  readonly takes?: BodyMembers
  readonly [types]?: (input: Input) => Answer
}
