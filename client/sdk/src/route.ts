declare const types: unique symbol

export type PathParams = Readonly<Record<string, string>>
export type Query = Readonly<Record<string, string | undefined>>

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
  /** Members that every answer has; an answer without them did not come from this route. */
  readonly answers: readonly string[]
  readonly [types]?: (input: Input) => Answer
}
