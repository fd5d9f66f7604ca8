import type { Clock } from '@sealpost/kernel'
import type { Calls } from '../people/client-calls.ts'
import type { TwoRegions } from '../two-regions.ts'

/** The installation that the parts of a world are made in. */
export interface Place extends TwoRegions {
  /** Other files use it, too: they must not meet what this file leaves running. */
  readonly isShared: boolean
  /** Runs when the test file ends, last in first out. */
  onEnd(free: () => Promise<void>): void
}

export type Site = 'eu' | 'us'

export function siteOf(region: string): Site {
  return region === 'eu' ? 'eu' : 'us'
}

/** Access tokens are good for an hour. */
const RENEW_AFTER_MS = 10 * 60_000

/** Calls whose token is renewed when the clock has moved on; without `first`, the first call gets one. */
export function renewedCalls(clock: Clock, open: () => Promise<Calls>, first: Calls | null = null): Calls {
  let known = first === null ? null : { at: clock.now(), calls: Promise.resolve(first) }
  return async (...sent) => {
    if (known === null || clock.now() - known.at > RENEW_AFTER_MS) known = { at: clock.now(), calls: open() }
    return (await known.calls)(...sent)
  }
}
