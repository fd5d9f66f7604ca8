import type { EventStream } from '@sealpost/http'
import type { Instant, UserId } from '@sealpost/kernel'

/** A stream that a device reads. Its hints wait in the table, not in the process: only a position is kept. */
export interface OpenStream {
  readonly accountId: UserId
  readonly sessionId: string
  /** The end of its token. */
  readonly endsAt: Instant
  readonly life: number
  readonly wire: EventStream
  /** The number of the last hint that was written. */
  position: number
  /** The reader has not taken what was written; nothing more is written until it has. */
  isBehind: boolean
  wroteAtMs: number
  /** When its account is looked at next, without a wake-up. */
  dueAtMs: number
}
