import type { Carriers } from './carrier/open-carriers.ts'
import type { BusContext } from './context.ts'
import type { Loss } from './contracts.ts'
import type { Party } from './parties.ts'
import { readOpenLosses } from './store/exchange.ts'
import { type FailingLane, readFailingLanes } from './store/inbox.ts'
import { type HeldPeer, readHeldPeers } from './store/sessions.ts'

/** The problems of the bus, for `doctor` and the readiness page. At most 100 entries per list. */
export interface BusHealth {
  /** Regions whose NATS cannot be reached from here right now. */
  readonly awayCarriers: readonly Party[]
  /** Lanes whose next tell cannot be applied. */
  readonly failingLanes: readonly FailingLane[]
  /** Peers with which nothing is exchanged until an operator acts; the reason names the database and the remedy. */
  readonly heldPeers: readonly HeldPeer[]
  /** Ranges on which two databases disagree after a restore and that no `onLoss` has reconciled yet. */
  readonly openLosses: readonly Loss[]
}

const SHOWN = 100

export function awayOf(carriers: Carriers): readonly Party[] {
  return carriers.all().flatMap(({ region, carrier }) => (carrier.isConnected() ? [] : [region]))
}

export async function readHealth(context: BusContext, carriers: Carriers): Promise<BusHealth> {
  const awayCarriers = awayOf(carriers)
  return context.database.read(async (read) => ({
    awayCarriers,
    failingLanes: await readFailingLanes(read, SHOWN),
    heldPeers: await readHeldPeers(read),
    openLosses: await readOpenLosses(read, SHOWN),
  }))
}
