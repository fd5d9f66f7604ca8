import { type Clock, type Ids, type Instant, instant } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { type Claim, type IdempotencyStore, KEPT_HOURS, type Lease, LEASE_SECONDS, type StoredAnswer } from './port.ts'
import { judgeReuse } from './rules.ts'

interface Use {
  readonly bodyHash: string
  readonly token: string
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
  answer: StoredAnswer | null
}

/** For tests and tools of one process: nothing survives a restart and nothing is ever thrown away. */
export function memoryIdempotency(clock: Clock, ids: Ids): IdempotencyStore {
  const uses = new Map<string, Use>()
  const held = (lease: Lease): Use | null => {
    const use = uses.get(nameOf(lease.claim))
    return use !== undefined && use.token === lease.token && use.answer === null ? use : null
  }
  const complete = (lease: Lease, answer: StoredAnswer): boolean => {
    const use = held(lease)
    if (use !== null) use.answer = answer
    return use !== null
  }
  return {
    async begin(claim) {
      const now = clock.now()
      const earlier = uses.get(nameOf(claim))
      const begun = earlier === undefined ? null : judgeReuse(earlier, claim.bodyHash, now)
      if (begun !== null && begun.kind !== 'free') return begun
      const token = ids.uuid()
      uses.set(nameOf(claim), { bodyHash: claim.bodyHash, token, ...lifetimes(now), answer: null })
      return { kind: 'started', lease: { claim, token } }
    },
    async complete(lease, answer) {
      complete(lease, answer)
    },
    async completeIn(tx, lease, answer) {
      if (held(lease) === null) throw refuse('idempotency.in_progress')
      tx.afterCommit(() => void complete(lease, answer))
    },
    async release(lease) {
      if (held(lease) !== null) uses.delete(nameOf(lease.claim))
    },
  }
}

export function lifetimes(now: Instant): { readonly leaseUntil: Instant; readonly expiresAt: Instant } {
  return { leaseUntil: instant(now + LEASE_SECONDS * 1000), expiresAt: instant(now + KEPT_HOURS * 3_600_000) }
}

function nameOf({ caller, method, path, key }: Claim): string {
  return JSON.stringify([caller, method, path, key])
}
