import type { Ids } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { CallQuota } from '@sealpost/redis'
import type { Log } from '@sealpost/telemetry'

/** One of the places of a plugin, for the time of one call. */
export interface Place {
  /** The given milliseconds, or fewer when the lease of the place ends before; 0 when it has ended. */
  budgetMs(wantedMs: number): number
}

export interface PluginPlaces {
  /** Throws `plugin.busy` or `plugin.rate_limited`, and `plugin.unavailable` without Redis: the limits hold always. */
  use<T>(pluginId: string, work: (place: Place) => Promise<T>): Promise<T>
  /** Resolves when every place that was given back is free. */
  close(): Promise<void>
}

/** For fetching a description in a call whose question was sealed to an earlier key. */
export const REFETCH_MS = 1000
/** A connection that is cut at the end of its time needs some of it to be cut. */
const SAFETY_MS = 100

export function openPluginPlaces(quota: CallQuota, leaseMs: number, ids: Ids, log: Log): PluginPlaces {
  const leaving = new Set<Promise<void>>()

  async function enter(pluginId: string, callId: string): Promise<void> {
    const entry = await quota.enter(pluginId, callId).catch((error: unknown) => {
      log.warn({ err: error }, 'no place of a plugin can be taken: Redis does not answer')
      throw refuse('plugin.unavailable')
    })
    if (entry.outcome === 'busy') throw refuse('plugin.busy', undefined, { retryAfterSeconds: 1 })
    if (entry.outcome === 'limited')
      throw refuse('plugin.rate_limited', undefined, { retryAfterSeconds: Math.ceil(entry.retryAfterMs / 1000) })
  }
  /** The answer does not wait for it. A place that cannot be given back ends with its lease. */
  function leave(pluginId: string, callId: string): void {
    const done = quota
      .leave(pluginId, callId)
      .catch(() => {})
      .finally(() => leaving.delete(done))
    leaving.add(done)
  }
  return {
    async use(pluginId, work) {
      const callId = ids.uuid()
      // Before Redis starts the lease, so that the end known here is never later than the real one.
      const endMs = performance.now() + leaseMs - SAFETY_MS
      await enter(pluginId, callId)
      try {
        return await work({ budgetMs: (wantedMs) => Math.max(0, Math.min(wantedMs, endMs - performance.now())) })
      } finally {
        leave(pluginId, callId)
      }
    },
    async close() {
      await Promise.all(leaving)
    },
  }
}
