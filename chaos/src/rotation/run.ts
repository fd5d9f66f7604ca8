import { callWithOneRetry, describeOutcome, type Outcome } from '../calls.ts'

/** What all callers of one run share. */
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
  /** No answer the first time: a connection that was closed under a request. */
  retried: number
  refused: number
  lost: number
}

/** One call, a second time when it got no answer; null when it was not served, which is counted. */
export async function attempt<T>({ counts }: Run, act: () => Promise<Outcome<T>>): Promise<T | null> {
  const outcome = await callWithOneRetry(act, (first) => {
    if (first.kind === 'refused') noteFailure(counts, first)
    else counts.retried += 1
  })
  if (outcome.kind === 'done') return outcome.value
  noteFailure(counts, outcome)
  return null
}

function noteFailure(counts: Counts, outcome: Outcome<unknown>): void {
  if (outcome.kind === 'broken') counts.lost += 1
  else counts.refused += 1
  console.error(`a good call was not served: ${describeOutcome(outcome)}`)
}
