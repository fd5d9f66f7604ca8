import type { PathParams, Query } from './address.ts'

declare const types: unique symbol

export interface RouteInput {
  readonly params?: PathParams
  readonly query?: Query
  readonly body?: unknown
}

/** What of an operation a client needs at run time; the types of what goes in and comes out travel along unseen. */
export interface Route<Input extends RouteInput, Answer> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** The route takes an `Idempotency-Key`. */
  readonly creates?: true
  /** Members that every answer has; an answer without them did not come from this route. */
  readonly answers: readonly string[]
  readonly [types]?: (input: Input) => Answer
}
