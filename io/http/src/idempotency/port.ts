import type { Tx } from '@sealpost/postgres'

/** One use of an `Idempotency-Key`; the key is scoped to caller, method and path. */
export interface Claim {
  readonly caller: string
  readonly method: string
  readonly path: string
  readonly key: string
  /** SHA-256 of the body as received, in hex. */
  readonly bodyHash: string
}

/** The right to answer a claim; the next caller may take it when it is not used before it expires. */
export interface Lease {
  readonly claim: Claim
  readonly token: string
}

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, with once-only secrets set to null; null where the answer has no body. */
  readonly body: string | null
}

export type Begun =
  | { readonly kind: 'started'; readonly lease: Lease }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'running' }
  | { readonly kind: 'conflict' }

export const LEASE_SECONDS = 60
export const KEPT_HOURS = 24

/**
 * [Note: idempotency] A retry must find the outcome of the first attempt. `complete` after the work leaves a gap: a
 * process that dies between the two has done the work and lost the answer. `completeIn` closes it: work and answer
 * commit together, and an expired lease makes the transaction fail instead of doing the work twice.
 */
export interface IdempotencyStore {
  begin(claim: Claim): Promise<Begun>
  complete(lease: Lease, answer: StoredAnswer): Promise<void>
  /** Throws `idempotency.in_progress` when another caller holds the lease by now. */
  completeIn(tx: Tx, lease: Lease, answer: StoredAnswer): Promise<void>
  /** Releases the key: the first attempt ended in a way that a retry should not repeat (429, 5xx). */
  release(lease: Lease): Promise<void>
}
