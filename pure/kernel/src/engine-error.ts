/** How an engine fails a caller. Each has its own wait before a repeat can succeed. */
export type EngineState = 'away' | 'busy' | 'full'

/** `unknown`: the answer to the last step of a write is missing, so that it may have taken effect. */
export type EngineOutcome = 'nothing written' | 'unknown'

export interface EngineFailure {
  /** For callers, in a sentence: `database`, `file store`. */
  readonly engine: string
  readonly state: EngineState
  readonly outcome?: EngineOutcome
}

/**
 * An engine did not do its work, for a reason that is not in the request: it is away, frozen, slow, busy or full. The adapter
 * of each engine throws a class of its own that extends this one; `refusalOfEngine` of the protocol makes the answer.
 */
export class EngineError extends Error {
  readonly engine: string
  readonly state: EngineState
  readonly outcome: EngineOutcome

  constructor(message: string, { engine, state, outcome }: EngineFailure, options?: ErrorOptions) {
    super(message, options)
    this.engine = engine
    this.state = state
    this.outcome = outcome ?? 'nothing written'
  }
}
