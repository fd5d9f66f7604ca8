import type { LimitState } from '../gates.ts'
import type { EventStream } from '../stream-answer.ts'

/** The scripted behaviour of a test server, and a record of what happened. */
export interface Script {
  readonly asked: string[]
  /** Throws for the gate of that name. */
  readonly refusals: Map<string, () => Error>
  readonly created: string[]
  /** The addresses that the limits were asked for. */
  readonly addresses: string[]
  readonly closed: boolean[]
  /** The streams that were opened. */
  readonly streams: EventStream[]
  limits: readonly LimitState[]
  /** The gate for the home region waits for this. */
  waitAtHome: () => Promise<void>
  /** Runs in front of every handler. */
  before: () => void | Promise<void>
}
