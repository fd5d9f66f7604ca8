import type { DeadLetter } from './journal.ts'
import type { LineStore } from './line-store.ts'

export interface PumpOptions<Change> {
  /** The persistent state of the pump: one store per channel, one pump at a time. */
  readonly store: LineStore
  /** Called for each change in order; the change is done when it resolves. May be called again for the same `id`. */
  readonly handle: (change: Change, context: HandleContext) => void | Promise<void>
  /** Polls on when the feed is empty, until the signal is aborted. */
  readonly follow?: boolean
  /** Ends the run after the current change. */
  readonly signal?: AbortSignal
  /** Reads from a channel of this name and removes nothing from the feed. */
  readonly listener?: string
  /** Drains the backlog of this webhook instead. Services only. */
  readonly webhookId?: string
  /** Changes per page, 1 to 500; 100 by default. */
  readonly limit?: number
  /** The wait between polls of an empty feed; 2000 by default. */
  readonly pollEveryMs?: number
  /** A change whose handler failed this often becomes a dead letter; 5 by default. */
  readonly maxFailures?: number
  /** The pause after a first failure, doubled after each further one up to a minute; 1000 by default. */
  readonly firstRetryMs?: number
  /** How many event ids are kept to detect duplicates; at least 1000, by default 10,000. */
  readonly rememberIds?: number
  /** Called when a change becomes a dead letter; `pump.retry()` brings it back. */
  readonly onDeadLetter?: (letter: DeadLetter<Change>) => void | Promise<void>
  /**
   * Called when the answer to an attempt did not arrive within the five minutes for which the platform keeps the page: its
   * changes may be lost. Read the connections again.
   */
  readonly onPossibleLoss?: (loss: PossibleLoss) => void | Promise<void>
  /** Called for every failure that the pump retries: a handler that threw, a region that did not answer. */
  readonly onTrouble?: (trouble: Trouble) => void
}

export interface HandleContext {
  /** How often this change failed before. */
  readonly failures: number
  readonly signal: AbortSignal | undefined
}

export interface PossibleLoss {
  readonly askedAtMs: number
}

export interface Trouble {
  readonly during: 'reading' | 'handling'
  readonly error: unknown
  readonly waitMs: number
}

export interface PumpResult {
  readonly handled: number
  readonly deadLettered: number
  /** Duplicates that were not handled again. */
  readonly duplicates: number
}

export interface PumpPlan {
  readonly channel: string
  readonly limit: number
  readonly pollEveryMs: number
  readonly maxFailures: number
  readonly firstRetryMs: number
  readonly rememberIds: number
}

/** More than a page of 500 changes, so that ids of the same page are never forgotten. */
const FEWEST_IDS = 1000

export function planOf(options: PumpOptions<never>): PumpPlan {
  return {
    channel: channelOf(options),
    limit: wholeNumber('limit', options.limit ?? 100, 1, 500),
    pollEveryMs: wholeNumber('pollEveryMs', options.pollEveryMs ?? 2000, 0, 3_600_000),
    maxFailures: wholeNumber('maxFailures', options.maxFailures ?? 5, 1, 1_000_000),
    firstRetryMs: wholeNumber('firstRetryMs', options.firstRetryMs ?? 1000, 0, 60_000),
    rememberIds: wholeNumber('rememberIds', options.rememberIds ?? 10_000, FEWEST_IDS, 10_000_000),
  }
}

function channelOf({ listener, webhookId }: PumpOptions<never>): string {
  if (listener !== undefined && webhookId !== undefined) {
    throw new TypeError('a pump reads one channel: give listener or webhookId, not both')
  }
  if (webhookId !== undefined) return `the backlog of webhook ${webhookId}`
  return listener === undefined ? 'the plain channel' : `listener ${listener}`
}

function wholeNumber(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new TypeError(`${name} must be a whole number from ${min} to ${max}, not ${value}`)
}
