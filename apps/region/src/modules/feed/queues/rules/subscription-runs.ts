import { END, type Progress, span, subtract } from '../../rules/ranges.ts'

/** Events beyond `from` up to `to` belong to the queue if they are of these kinds: see [Note: subscriptions]. */
export interface SubscriptionRun {
  readonly from: number
  /** The last number; END while the run is open. */
  readonly to: number
  /** Null: every kind. */
  readonly kinds: readonly string[] | null
}

/** The kinds of all runs that hold this number; null: every kind. Also null without a run: it was read and is deleted. */
export function kindsAt(runs: readonly SubscriptionRun[], no: number): readonly string[] | null {
  const its = runs.filter(({ from, to }) => from < no && no <= to)
  const kinds = its.flatMap((run) => run.kinds ?? [])
  return its.length === 0 || its.some((run) => run.kinds === null) ? null : kinds
}

/** Pending ranges only, so that a rewind does not resend delivered events. */
export function unfinished(runs: readonly SubscriptionRun[], { cursor, gone }: Progress): readonly SubscriptionRun[] {
  return runs.flatMap(({ from, to, kinds }) =>
    subtract(span(Math.max(from, cursor), to), gone).map(([first, last]) => ({ from: first - 1, to: last, kinds })),
  )
}

/** The runs after a replay: one run for the replayed numbers, beside those that are pending. */
export function withReplay(
  runs: readonly SubscriptionRun[],
  progress: Progress,
  replay: SubscriptionRun,
): readonly SubscriptionRun[] {
  return [...unfinished(runs, progress), ...(replay.from < replay.to ? [replay] : [])]
}

export function closedAt(runs: readonly SubscriptionRun[], lastNo: number): readonly SubscriptionRun[] {
  return runs.map((run) => (run.to === END ? { ...run, to: lastNo } : run)).filter(({ from, to }) => from < to)
}
