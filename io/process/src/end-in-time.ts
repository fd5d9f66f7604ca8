import { setTimeout as pause } from 'node:timers/promises'

export interface Ending {
  drain?(): void
  close(): Promise<void>
}

/**
 * [Note: drain, then close] A balancer needs a few seconds to see that a process is not ready; whoever it sends in
 * between is still served. Throws when closing takes too long: the process must end, whatever holds it.
 */
export async function endInTime(running: Ending, drainSeconds: number, closingSeconds: number): Promise<void> {
  running.drain?.()
  if (drainSeconds > 0) await pause(drainSeconds * 1000)
  const timer = new AbortController()
  const late = pause(closingSeconds * 1000, 'late', { signal: timer.signal }).catch(() => 'in time')
  const outcome = await Promise.race([running.close(), late]).finally(() => timer.abort())
  if (outcome === 'late') throw new Error(`not closed after ${closingSeconds} s; what is still in flight is cut off`)
}
