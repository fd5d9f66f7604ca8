import { type Loop, startLoop } from './loop.ts'
import type { BusNeeds } from './needs.ts'
import { leaveSeats, takeSeat } from './store/seats.ts'

/**
 * Work that one process at a time should do: each link is relayed and received by whoever holds its seat. Two holders at
 * once do no harm, they only do the work twice, so a seat needs no fencing.
 */
export interface Seats {
  isOurs(name: string): boolean
  stop(): Promise<void>
}

const SEAT_SECONDS = 5
const RENEW_MS = 1000
/** Stops believing in the seat before the database does. */
const TRUST_MS = 4000

export function takeSeats(needs: BusNeeds, names: readonly string[], onChange: () => void): Seats {
  const takenAtMs = new Map<string, number>()
  const isOurs = (name: string): boolean => performance.now() - (takenAtMs.get(name) ?? -Infinity) < TRUST_MS
  const loop: Loop = startLoop(needs.telemetry.log, 'taking the seats of the bus', async () => {
    for (const name of names) {
      const startedMs = performance.now()
      const isTaken = await needs.database.transaction((tx) => takeSeat(tx, name, needs.process, SEAT_SECONDS))
      const wasOurs = isOurs(name)
      if (isTaken) takenAtMs.set(name, startedMs)
      else takenAtMs.delete(name)
      if (isTaken !== wasOurs) onChange()
    }
    return RENEW_MS
  })
  return {
    isOurs,
    async stop() {
      await loop.stop()
      takenAtMs.clear()
      await needs.database.transaction((tx) => leaveSeats(tx, needs.process)).catch(() => {})
    },
  }
}

export function relaySeat(target: string): string {
  return `relay to ${target}`
}

export function inboxSeat(source: string): string {
  return `inbox from ${source}`
}
