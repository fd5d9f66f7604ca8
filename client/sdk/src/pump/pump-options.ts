import type { DeadLetter } from './journal.ts'
import type { LineStore } from './line-store.ts'

export interface PumpOptions<Change> {
  /** What the pump must not forget is written here. One store, one channel, one pump at a time. */
  readonly store: LineStore
  /** Called for one change after the other; what it resolves for is done. Can be called again for the same `id`. */
  readonly handle: (change: Change, context: HandleContext) => void | Promise<void>
  /** Goes on when the feed is empty, until the signal is aborted. */
  readonly follow?: boolean
  /** Ends the run after the change in hand. */
  readonly signal?: AbortSignal
  /** Reads along on a channel of this name and takes nothing from the feed itself. */
  readonly listener?: string
  /** Takes the backlog of this webhook instead. Services only. */
  readonly webhookId?: string
  /** Changes per page, 1 to 500; 100 unless told. */
  readonly limit?: number
  /** How long to wait when the feed is empty; 2000 unless told. */
  readonly pollEveryMs?: number
  /** A change whose handler failed so often goes to the dead letters; 5 unless told. */
  readonly maxFailures?: number
  /** The pause after a first failure, doubled after each further one up to a minute; 1000 unless told. */
  readonly firstRetryMs?: number
  /** How many event ids are remembered, to drop what comes twice; at least 1000, and 10,000 unless told. */
  readonly rememberIds?: number
  /** Told when a change was given up; `pump.retry()` brings it back. */
  readonly onDeadLetter?: (letter: DeadLetter<Change>) => void | Promise<void>
  /**
   * Told when a page was asked for and no answer was seen within the five minutes that the platform keeps it: its changes
   * may be gone. Read the connections anew.
   */
  readonly onPossibleLoss?: (loss: PossibleLoss) => void | Promise<void>
  /** Told of every failure that the pump waits out: a handler that threw, a region that did not answer. */
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
  /** Came again and were dropped. */
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

/** A page holds 500 changes at most; fewer ids could forget one of its own. */
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
    throw new TypeError('a pump takes from one channel: give listener or webhookId, not both')
  }
  if (webhookId !== undefined) return `the backlog of webhook ${webhookId}`
  return listener === undefined ? 'the plain channel' : `listener ${listener}`
}

function wholeNumber(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new TypeError(`${name} must be a whole number from ${min} to ${max}, not ${value}`)
}
