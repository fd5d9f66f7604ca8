import type { CallOptions } from '../options.ts'
import type { Binding } from './journal.ts'

export interface PumpTimes {
  readonly now: () => number
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** The feed that a pump reads. */
export interface PumpSource<Change> extends PumpTimes {
  readonly feed: Binding['feed']
  /** One page. The same attempt returns the same changes for five minutes. */
  readPage(
    attemptId: string,
    options: CallOptions & { readonly limit: number; readonly listener?: string; readonly webhookId?: string },
  ): Promise<{ readonly changes: readonly Change[]; readonly has_more: boolean }>
  /** The service or account whose feed it is. */
  owner(options: CallOptions): Promise<string>
}
