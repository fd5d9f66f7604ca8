import { callWithOneRetry, describeOutcome, type Outcome } from '../calls.ts'

/** State that all callers of a run share. */
export interface Run {
  readonly frontDoorUrl: string
  readonly counts: Counts
  generation: number
  isEnding: boolean
}

export interface Counts {
  tokens: number
  data_calls: number
  logins: number
  refreshes: number
  /** No answer at the first attempt: the connection was closed under the request. */
  retried: number
  refused: number
  lost: number
}

/** Sends a call, again when it got no answer. Null when it was not served, which is counted. */
export async function attempt<T>({ counts }: Run, send: () => Promise<Outcome<T>>): Promise<T | null> {
  const outcome = await callWithOneRetry(send, (first) => {
    if (first.kind === 'refused') countFailure(counts, first)
    else counts.retried += 1
  })
  if (outcome.kind === 'done') return outcome.value
  countFailure(counts, outcome)
  return null
}

function countFailure(counts: Counts, outcome: Outcome<unknown>): void {
  if (outcome.kind === 'broken') counts.lost += 1
  else counts.refused += 1
  console.error(`a valid call was not served: ${describeOutcome(outcome)}`)
}
