import type { Job } from '../contract.ts'
import type { RegisteredKind } from '../registered.ts'
import type { ClaimedJob } from '../store/claims.ts'
import { fromTenant } from '../tenant.ts'

const LEASE_MS = 30_000
/** Two clocks may run at slightly different speeds, so trust ends a little before the lease does. */
const TRUSTED_SHARE = 0.8

/** A job that this process runs. */
export interface HeldJob {
  readonly claimed: ClaimedJob
  readonly registered: RegisteredKind
  readonly leaseMs: number
  /** Aborted when the lease is lost or the process ends. */
  readonly ending: AbortController
  /** Until then, on the process' own clock, no other worker can have it. */
  trustedUntilMs: number
}

/** `askedMs` is from before the claim: see [Note: leases are counted from before]. */
export function holdJob(claimed: ClaimedJob, registered: RegisteredKind, askedMs: number): HeldJob {
  const leaseMs = registered.kind.queue.leaseMs ?? LEASE_MS
  return {
    claimed,
    registered,
    leaseMs,
    ending: new AbortController(),
    trustedUntilMs: askedMs + leaseMs * TRUSTED_SHARE,
  }
}

export function trustAgain(held: HeldJob, askedMs: number): void {
  held.trustedUntilMs = askedMs + held.leaseMs * TRUSTED_SHARE
}

export function leaseOf({ leaseMs }: { readonly leaseMs?: number }): number {
  return leaseMs ?? LEASE_MS
}

export function toJob(claimed: ClaimedJob): Job<unknown, unknown> {
  const { id, tenantId, key, payload, cursor, done, total, attempts, enqueuedAt } = claimed
  return { id, tenantId: fromTenant(tenantId), key, payload, cursor, done, total, attempts, enqueuedAt }
}
