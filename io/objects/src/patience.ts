/** The time limits of the server; every call also has a total limit that follows from its size. */
export interface Patience {
  readonly connectMs: number
  /** Silence in both directions; while an answer is read, only while its reader waits. */
  readonly silenceMs: number
  readonly attempts: number
  /** Until an answer begins, all attempts together: a caller waits this long for a server that does not answer. */
  readonly answerMs: number
}

export const PATIENCE: Patience = { connectMs: 3_000, silenceMs: 10_000, attempts: 3, answerMs: 10_000 }
