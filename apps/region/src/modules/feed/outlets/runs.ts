import { type Progress, span, subtract } from '../ranges.ts'
import { END } from './machine.ts'

/** A run of numbers whose events an outlet takes, if they are of its kinds: see [Note: subscriptions]. */
export interface SubscribedRun {
  readonly from: number
  /** The last one; END while the run is open. */
  readonly to: number
  readonly kinds: readonly string[] | null
}

/** Without what is done with, so that it does not come back when the cursor does: what is left is what waits. */
export function unfinished(runs: readonly SubscribedRun[], { cursor, gone }: Progress): readonly SubscribedRun[] {
  return runs.flatMap(({ from, to, kinds }) =>
    subtract(span(Math.max(from, cursor), to), gone).map(([first, last]) => ({ from: first - 1, to: last, kinds })),
  )
}

/** Everything from a number on, once more, and what waits anyway. */
export function takenAgain(
  runs: readonly SubscribedRun[],
  progress: Progress,
  again: SubscribedRun,
): readonly SubscribedRun[] {
  return [...unfinished(runs, progress), ...(again.from < again.to ? [again] : [])]
}

export function closedAt(runs: readonly SubscribedRun[], lastNo: number): readonly SubscribedRun[] {
  return runs.map((run) => (run.to === END ? { ...run, to: lastNo } : run)).filter(({ from, to }) => from < to)
}
