import type { LimitState } from '../gates.ts'

/** What a test may put in the way of a request, and what happened. */
export interface Script {
  readonly asked: string[]
  /** Throws for the gate of that name. */
  readonly refusals: Map<string, () => Error>
  readonly created: string[]
  readonly closed: boolean[]
  limits: readonly LimitState[]
  /** What the gate for the home region waits for. */
  waitAtHome: () => Promise<void>
  /** Runs in front of every handler. */
  before: () => void | Promise<void>
}
