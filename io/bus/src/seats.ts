import { startLoop } from '@sealpost/process'
import { BUS_BACKOFF } from './backoff.ts'
import type { BusContext } from './context.ts'
import { leaveSeats, takeSeats } from './store/seats.ts'

/**
 * A lease on work that one process at a time should do: each link is relayed and received by the holder of its seat.
 * Two holders at once only do the work twice, so a seat needs no fencing.
 */
export interface Seats {
  isOurs(name: string): boolean
  close(): Promise<void>
}

const SEAT_SECONDS = 5
const RENEW_MS = 1000
/** Expires locally before the lease in the database does. */
const TRUST_MS = 4000

export function openSeats(context: BusContext, names: readonly string[], onChange: () => void): Seats {
  const takenAtMs = new Map<string, number>()
  const isOurs = (name: string): boolean => performance.now() - (takenAtMs.get(name) ?? -Infinity) < TRUST_MS
  const renew = async (): Promise<void> => {
    if (names.length === 0) return
    const startedMs = performance.now()
    const taken = await context.database.write((tx) => takeSeats(tx, names, context.process, SEAT_SECONDS))
    const hasChanged = names.some((name) => taken.has(name) !== isOurs(name))
    for (const name of names) {
      if (taken.has(name)) takenAtMs.set(name, startedMs)
      else takenAtMs.delete(name)
    }
    if (hasChanged) onChange()
  }
  const loop = startLoop({
    name: 'taking the seats of the bus',
    log: context.telemetry.log,
    everyMs: RENEW_MS,
    backoff: BUS_BACKOFF,
    work: renew,
  })
  return {
    isOurs,
    async close() {
      await loop.close()
      takenAtMs.clear()
      await context.database.transaction((tx) => leaveSeats(tx, context.process)).catch(() => {})
    },
  }
}

export function relaySeat(target: string): string {
  return `relay to ${target}`
}

export function inboxSeat(source: string): string {
  return `inbox from ${source}`
}
