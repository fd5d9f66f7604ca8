import { includes, type Ranges } from '../../rules/ranges.ts'
import type { WebhookQueue } from '../model.ts'
import type { SubscriptionRun } from '../rules/subscription-runs.ts'

export const DAY_MS = 86_400_000

export interface LoggedEvent {
  readonly no: number
  readonly kind: string
  readonly key: string | null
  readonly at: number
  /** Its resolver leaves it out. */
  readonly isUnresolved: boolean
}

export function isSubscribed(runs: readonly SubscriptionRun[], { no, kind }: LoggedEvent): boolean {
  return runs.some(({ from, to, kinds }) => from < no && no <= to && (kinds === null || kinds.includes(kind)))
}

export interface LogBatch {
  readonly events: readonly LoggedEvent[]
  readonly scannedTo: number
  readonly blockedForMs: number | null
}

/** A plain implementation of the statements of the store. */
export function readLog(
  log: readonly LoggedEvent[],
  runs: readonly SubscriptionRun[],
  queue: WebhookQueue,
  { now, limit, excluded }: { readonly now: number; readonly limit: number; readonly excluded: Ranges },
): readonly LoggedEvent[] {
  const entries = log.filter((event) => isSubscribed(runs, event))
  const isHidden = ({ no, key }: LoggedEvent): boolean =>
    key !== null &&
    no > queue.replayTo &&
    no <= queue.parkedTo &&
    entries.some((later) => later.no > no && later.key === key)
  return entries
    .filter(({ no, at }) => no > queue.cursor && !includes(queue.gone, no) && now - at < 7 * DAY_MS)
    .filter((event) => !includes(excluded, event.no) && !isHidden(event))
    .slice(0, limit)
}

export function isParked(queue: WebhookQueue, { no }: LoggedEvent): boolean {
  return no <= queue.parkedTo
}
