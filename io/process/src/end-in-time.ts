import { setTimeout as pause } from 'node:timers/promises'

export interface Ending {
  drain?(): void
  close(): Promise<void>
}

/**
 * Drain, then close: a balancer needs a few seconds to see that a process is not ready, and requests that it routes
 * meanwhile are still served. Throws when closing takes too long: the process must end in any case.
 */
export async function endInTime(running: Ending, drainSeconds: number, closingSeconds: number): Promise<void> {
  running.drain?.()
  if (drainSeconds > 0) await pause(drainSeconds * 1000)
  const timer = new AbortController()
  const late = pause(closingSeconds * 1000, 'late', { signal: timer.signal }).catch(() => 'in time')
  const outcome = await Promise.race([running.close(), late]).finally(() => timer.abort())
  if (outcome === 'late') throw new Error(`not closed after ${closingSeconds} s; requests in flight are cut off`)
}
