import type { UserId } from '@sealpost/kernel'
import { type ClaimedOutlet, isFair, mayTake, type Shares } from '../../feed/index.ts'
import type { LaneWatch } from './lane.ts'
import type { LaneCounts } from './metrics.ts'
import type { DeliveryLimits } from './needs.ts'

/** The lanes that run, counted by what they take room from. */
export interface Lanes {
  readonly counts: LaneCounts
  /** Of the room for webhooks that run. */
  shares(): Shares
  /** `run` must not throw. */
  add(claimed: ClaimedOutlet, run: (watch: LaneWatch) => Promise<void>): void
  ended(): Promise<void>
}

/** When room is scarce a lane lets go after so long, for those that wait; it goes on when it is its turn again. */
const TURN_MS = 10_000
/** Room is scarce when less than this part of it is free, and for a company that may have no more of it. */
const SPARE = 1 / 20

type Place = 'live' | 'probes'

export function openLanes(limits: Pick<DeliveryLimits, 'live'>, monotonicMs: () => number): Lanes {
  const counts = { live: 0, probes: 0, inFlight: 0 }
  const held = new Map<UserId, number>()
  const running = new Set<Promise<void>>()

  function count(place: Place, companyId: UserId, change: 1 | -1): void {
    counts[place] += change
    if (place !== 'live') return
    const rest = (held.get(companyId) ?? 0) + change
    if (rest === 0) held.delete(companyId)
    else held.set(companyId, rest)
  }
  function mayStay(companyId: UserId, sinceMs: number): boolean {
    const free = limits.live - counts.live
    const its = held.get(companyId) ?? 0
    if (!isFair(its, free)) return false
    // One that may have no more has others of its own that wait, however much is free.
    const isScarce = free < limits.live * SPARE || !mayTake(its, free)
    return !isScarce || monotonicMs() - sinceMs < TURN_MS
  }
  return {
    counts,
    shares: () => ({ held, free: limits.live - counts.live }),
    add({ state, name: { companyId } }, run) {
      // Null for one that is about to end.
      let place: Place | null = null
      let sinceMs = 0
      function moveTo(next: Place | null): void {
        if (place !== null) count(place, companyId, -1)
        if (next !== null) count(next, companyId, 1)
        place = next
        sinceMs = monotonicMs()
      }
      moveTo(placeOf(state))
      const lane = run({
        // A probe that was answered leaves its place to the next one.
        stateIs: (next) => moveTo(placeOf(next)),
        mayStay() {
          if (place !== 'live' || mayStay(companyId, sinceMs)) return true
          // At once, or all lanes of a company that has one too many would go.
          moveTo(null)
          return false
        },
        inFlight: (change) => void (counts.inFlight += change),
      }).finally(() => {
        moveTo(null)
        running.delete(lane)
      })
      running.add(lane)
    },
    async ended() {
      await Promise.all(running)
    },
  }
}

function placeOf(state: ClaimedOutlet['state']): Place {
  return state === 'running' ? 'live' : 'probes'
}
