import type { UserId } from '@sealpost/kernel'
import { type ClaimedQueue, isFairShare, mayTakeSlot, type Shares } from '../../../feed/index.ts'
import type { SenderCounts } from './metrics.ts'
import type { SenderWatch } from './sender.ts'

/** The running senders, counted by the slots that they hold. */
export interface Senders {
  readonly counts: SenderCounts
  /** The slots for running queues. */
  shares(): Shares
  /** `run` must not throw. */
  add(claimed: ClaimedQueue, run: (watch: SenderWatch) => Promise<void>): void
  ended(): Promise<void>
}

/** While slots are scarce, a sender releases its queue after this long; the queue continues when it is claimed again. */
const TURN_MS = 10_000
/** Slots are scarce when fewer than this fraction is free, or when the company may take no further one. */
const SPARE = 1 / 20

type Slot = 'live' | 'probes'

export function openSenders(limits: { readonly live: number }, monotonicMs: () => number): Senders {
  const counts = { live: 0, probes: 0, inFlight: 0 }
  const held = new Map<UserId, number>()
  const running = new Set<Promise<void>>()

  function count(slot: Slot, companyId: UserId, change: 1 | -1): void {
    counts[slot] += change
    if (slot !== 'live') return
    const rest = (held.get(companyId) ?? 0) + change
    if (rest === 0) held.delete(companyId)
    else held.set(companyId, rest)
  }
  function mayStay(companyId: UserId, sinceMs: number): boolean {
    const free = limits.live - counts.live
    const its = held.get(companyId) ?? 0
    if (!isFairShare(its, free)) return false
    // A company that may take no further slot can have queues that wait for its own ones.
    const isScarce = free < limits.live * SPARE || !mayTakeSlot(its, free)
    return !isScarce || monotonicMs() - sinceMs < TURN_MS
  }
  return {
    counts,
    shares: () => ({ held, free: limits.live - counts.live }),
    add({ state, name: { companyId } }, run) {
      // Null for a sender that is about to end.
      let slot: Slot | null = null
      let sinceMs = 0
      function moveTo(next: Slot | null): void {
        if (slot !== null) count(slot, companyId, -1)
        if (next !== null) count(next, companyId, 1)
        slot = next
        sinceMs = monotonicMs()
      }
      moveTo(slotOf(state))
      const sender = run({
        // An answered probe frees its slot for the next one.
        stateIs: (next) => moveTo(slotOf(next)),
        mayStay() {
          if (slot !== 'live' || mayStay(companyId, sinceMs)) return true
          // Free the slot at once, or all senders of a company with one slot too many would end.
          moveTo(null)
          return false
        },
        inFlight: (change) => void (counts.inFlight += change),
      }).finally(() => {
        moveTo(null)
        running.delete(sender)
      })
      running.add(sender)
    },
    async ended() {
      await Promise.all(running)
    },
  }
}

function slotOf(state: ClaimedQueue['state']): Slot {
  return state === 'running' ? 'live' : 'probes'
}
