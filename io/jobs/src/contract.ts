import type { Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'

/** Jobs that share places: each process runs at most `concurrency` of a queue at the same time. */
export interface JobQueue {
  readonly name: string
  readonly concurrency: number
  /** How many of them one tenant may have, so that another tenant's job need not wait for a long one; all unless told. */
  readonly perTenant?: number
  /** How long a job stays with a worker that gives no sign of life; 30 s unless told. */
  readonly leaseMs?: number
  /** A job of many steps gives its place to others after this long; 500 ms unless told. */
  readonly sliceMs?: number
}

declare const types: unique symbol

/** What a job is for. The types are those of its payload and of its cursor, which are kept as JSON. */
export interface JobKind<Payload extends object, Cursor = never> {
  /** Unique, and never changed while jobs of it wait: `mail.send`. */
  readonly name: string
  readonly queue: JobQueue
  /** After so many attempts without progress it is dead until an operator acts; 20 unless told, `Infinity` for never. */
  readonly maxAttempts?: number
  /** The wait after a failed attempt doubles from `firstMs` to `longestMs`; 1 s and 10 min unless told. */
  readonly backoff?: Backoff
  readonly [types]?: (payload: Payload, cursor: Cursor) => void
}

export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/** For work that must happen: a failed step is tried again and never skipped, after a minute at most. */
export const UNTIL_DONE = { maxAttempts: Infinity, backoff: { firstMs: 1000, longestMs: 60_000 } } as const

export interface NewJob<Payload> {
  readonly payload: Payload
  /** The company or account whose job it is: tenants take turns. */
  readonly tenantId: string | null
  /** Jobs of one key and queue run one at a time, in the order in which their transactions committed. */
  readonly key?: string
  /** A second job of the same id is not enqueued. */
  readonly id?: string
  readonly notBefore?: Instant
  /** What its progress counts up to, where that is known. */
  readonly total?: number
}

export interface Job<Payload, Cursor> {
  readonly id: string
  readonly tenantId: string | null
  readonly key: string | null
  readonly payload: Payload
  /** As the last step left it; null before the first. */
  readonly cursor: Cursor | null
  readonly done: number
  readonly total: number | null
  /** Since it last came forward, this one included. */
  readonly attempts: number
  readonly enqueuedAt: Instant
}

export interface JobHandler<Payload, Cursor, Prepared = undefined> {
  /**
   * Outside of a transaction: calls to other machines, child processes. Happens again when the process dies or the step after
   * it fails. The signal is aborted when the lease is lost or the process ends; what throws then is no failed attempt.
   */
  prepare?(job: Job<Payload, Cursor>, signal: AbortSignal): Promise<Prepared>
  /** One transaction, which also notes how far the job has come: both happen or neither, and never twice. */
  step(tx: Tx, job: Job<Payload, Cursor>, prepared: Prepared): Promise<StepOutcome<Cursor>>
}

export type StepOutcome<Cursor> =
  | { readonly next: 'done' }
  /** There is more to do from `cursor` on. `done` and `total` are the progress from now on. */
  | { readonly next: 'more'; readonly cursor: Cursor; readonly done?: number; readonly total?: number }
  /** Not yet; no failure. */
  | { readonly next: 'later'; readonly at: Instant }

/** Thrown by a handler when no further attempt can help: the job is dead at once. */
export class PermanentJobFailure extends Error {
  override readonly name = 'PermanentJobFailure'
}
