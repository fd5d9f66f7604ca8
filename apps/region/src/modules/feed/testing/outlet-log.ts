import type { Outlet } from '../outlets/machine.ts'
import type { SubscribedRun } from '../outlets/runs.ts'
import { includes, type Ranges } from '../ranges.ts'

export const DAY_MS = 86_400_000

export interface LoggedEvent {
  readonly no: number
  readonly kind: string
  readonly key: string | null
  readonly at: number
  /** There will be nothing to tell of it. */
  readonly isMute: boolean
}

export function takes(runs: readonly SubscribedRun[], { no, kind }: LoggedEvent): boolean {
  return runs.some(({ from, to, kinds }) => from < no && no <= to && (kinds === null || kinds.includes(kind)))
}

export interface LogBatch {
  readonly events: readonly LoggedEvent[]
  readonly lookedTo: number
  readonly blockedForMs: number | null
}

/** What the statements of the store answer, said plainly. */
export function readLog(
  log: readonly LoggedEvent[],
  runs: readonly SubscribedRun[],
  outlet: Outlet,
  { now, limit, taken }: { readonly now: number; readonly limit: number; readonly taken: Ranges },
): readonly LoggedEvent[] {
  const entries = log.filter((event) => takes(runs, event))
  const isHidden = ({ no, key }: LoggedEvent): boolean =>
    key !== null &&
    no > outlet.replayTo &&
    no <= outlet.parkedTo &&
    entries.some((later) => later.no > no && later.key === key)
  return entries
    .filter(({ no, at }) => no > outlet.cursor && !includes(outlet.gone, no) && now - at < 7 * DAY_MS)
    .filter((event) => !includes(taken, event.no) && !isHidden(event))
    .slice(0, limit)
}

export function isParked(outlet: Outlet, { no }: LoggedEvent): boolean {
  return no <= outlet.parkedTo
}
