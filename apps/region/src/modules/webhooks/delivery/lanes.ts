import type { ClaimedOutlet } from '../../feed/index.ts'
import type { LaneWatch } from './lane.ts'
import type { LaneCounts } from './metrics.ts'

/** The lanes that run, counted by what they take room from. */
export interface Lanes {
  readonly counts: LaneCounts
  /** `run` must not throw. */
  add(claimed: ClaimedOutlet, run: (watch: LaneWatch) => Promise<void>): void
  ended(): Promise<void>
}

export function openLanes(): Lanes {
  const counts = { live: 0, probes: 0, inFlight: 0 }
  const running = new Set<Promise<void>>()
  return {
    counts,
    add({ state }, run) {
      let place = placeOf(state)
      counts[place] += 1
      const lane = run({
        // A probe that was answered leaves its place to the next one.
        stateIs(next) {
          counts[place] -= 1
          place = placeOf(next)
          counts[place] += 1
        },
        inFlight: (change) => void (counts.inFlight += change),
      }).finally(() => {
        counts[place] -= 1
        running.delete(lane)
      })
      running.add(lane)
    },
    async ended() {
      await Promise.all(running)
    },
  }
}

function placeOf(state: ClaimedOutlet['state']): 'live' | 'probes' {
  return state === 'running' ? 'live' : 'probes'
}
