/** A command of a run. */
export interface Step {
  readonly name: string
  /** Plain words: no quotes, no variables. */
  readonly command: string
  /** About how long it takes on two quiet cores; shards are packed by it. */
  readonly seconds: number
  readonly limitSeconds?: number
  /** Other programs of a machine can take the time that it waits for: a failed one is run once more, alone. */
  readonly isRepeated?: boolean
  /** It measures waiting: nothing runs beside it. */
  readonly isAlone?: boolean
  /** It runs in every shard. */
  readonly isEverywhere?: boolean
}

/** `left out`: not run, because the time of the whole run was used up. `not run`: the machine cannot run it. */
export type Outcome = 'passed' | 'failed' | 'left out' | 'not run'

export interface StepResult {
  readonly name: string
  readonly outcome: Outcome
  readonly seconds: number
  /** It failed, and passed when it was run once more. */
  readonly isUnstable: boolean
  /** Why it was left out or not run. */
  readonly reason?: string
}

/** Exit code of a program that cannot run on this machine; its last line says `not run: REASON`. */
export const CANNOT_RUN = 77
