import { type Clock, createIds, type Ids, type Instant, instant, type Random } from '@sealpost/kernel'

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
