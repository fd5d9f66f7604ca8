import type { Clock, Ids, Instant } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { Claim, IdempotencyStore, Lease, StoredAnswer } from '../idempotency/port.ts'
import { decideReuse, lifetimes } from '../idempotency/rules.ts'

interface Use {
  readonly bodyHash: string
  readonly token: string
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
  answer: StoredAnswer | null
}

/** Nothing survives a restart and nothing expires. */
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
      const begun = earlier === undefined ? null : decideReuse(earlier, claim.bodyHash, now)
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

function nameOf({ caller, method, path, key }: Claim): string {
  return JSON.stringify([caller, method, path, key])
}
