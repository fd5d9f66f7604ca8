import type { BusContext } from './context.ts'
import { type BusCounts, readCounts } from './store/counts.ts'

/** Publishes the counts of the database as metrics; they are as old as the last call of the returned function. */
export function registerGauges(context: BusContext): () => Promise<void> {
  let counts: BusCounts = { pendingLanes: 0, failingLanes: 0, heldPeers: 0, openLosses: 0 }
  const { telemetry } = context
  telemetry.gauge('bus_pending_lanes', 'Lanes with tells that are not confirmed yet', () => counts.pendingLanes)
  telemetry.gauge('bus_failing_lanes', 'Lanes whose next tell cannot be applied', () => counts.failingLanes)
  telemetry.gauge(
    'bus_held_peers',
    'Peers with which nothing is exchanged until an operator acts',
    () => counts.heldPeers,
  )
  telemetry.gauge('bus_open_losses', 'Ranges lost in a restore and not reconciled yet', () => counts.openLosses)
  return async () => {
    counts = await context.database.read(readCounts)
  }
}
