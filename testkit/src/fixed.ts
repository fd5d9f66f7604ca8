import { type Clock, createIds, type Ids, type Instant, instant, type Random, type Scheduler } from '@sealpost/kernel'

/** A clock that stands still until it is moved. */
export interface FixedClock extends Clock {
  set(at: Instant): void
  advance(ms: number): void
}

export const TEST_START = instant(Date.UTC(2026, 4, 1, 9, 30))

export function fixedClock(start: Instant = TEST_START): FixedClock {
  let current = start
  return {
    now: () => current,
    set(at) {
      current = at
    },
    advance(ms) {
      current = instant(current + ms)
    },
  }
}

/** The same bytes for the same seed, so that every id of a test run is the same (xorshift32). */
export function seededRandom(seed = 1): Random {
  let state = seed
  return {
    bytes(length) {
      return Uint8Array.from({ length }, () => {
        state ^= state << 13
        state ^= state >>> 17
        state ^= state << 5
        return state & 0xff
      })
    },
  }
}

export function fixedIds(clock: Clock, seed = 1): Ids {
  return createIds(clock, seededRandom(seed))
}

/** Timers that fire only while `advance` passes their time; those of 0 ms fire by themselves. */
export interface ManualScheduler extends Scheduler {
  /** Fires what becomes due, in the order of time, and lets each effect run its course before the next. */
  advance(ms: number): Promise<void>
}

export function manualScheduler(): ManualScheduler {
  const timers = new Set<{ readonly atMs: number; act(): void }>()
  let nowMs = 0
  return {
    after(ms, act) {
      if (ms <= 0) {
        const immediate = setImmediate(act)
        return () => clearImmediate(immediate)
      }
      const timer = { atMs: nowMs + ms, act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      const endMs = nowMs + ms
      for (;;) {
        await nextTurn()
        const [next] = [...timers].toSorted((one, other) => one.atMs - other.atMs)
        if (next === undefined || next.atMs > endMs) break
        timers.delete(next)
        nowMs = next.atMs
        next.act()
      }
      nowMs = endMs
    },
  }
}

/** Twice: what an immediate starts may ask for another one. */
async function nextTurn(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
}
