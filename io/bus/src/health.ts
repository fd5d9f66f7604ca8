import type { Carriers } from './carrier/open-carriers.ts'
import type { Loss } from './contracts.ts'
import type { BusNeeds } from './needs.ts'
import type { Party } from './parties.ts'
import { readOpenLosses } from './store/exchange.ts'
import { type FailingLane, readFailingLanes } from './store/inbox.ts'
import { type HeldPeer, readHeldPeers } from './store/sessions.ts'

/** What an operator must know, for `doctor` and the readiness page. At most 100 entries per list. */
export interface BusHealth {
  /** Regions whose NATS cannot be reached from here right now. */
  readonly awayCarriers: readonly Party[]
  /** Lanes whose next tell cannot be applied. */
  readonly failingLanes: readonly FailingLane[]
  /** Peers with which nothing is exchanged until somebody acts; the reason says who and how. */
  readonly heldPeers: readonly HeldPeer[]
  /** Ranges that two databases disagree on after a restore and that no `onLoss` has settled yet. */
  readonly openLosses: readonly Loss[]
}

const SHOWN = 100

export async function readHealth(needs: BusNeeds, carriers: Carriers): Promise<BusHealth> {
  const awayCarriers = carriers.all().flatMap(({ region, carrier }) => (carrier.isConnected() ? [] : [region]))
  return needs.database.read(async (read) => ({
    awayCarriers,
    failingLanes: await readFailingLanes(read, SHOWN),
    heldPeers: await readHeldPeers(read),
    openLosses: await readOpenLosses(read, SHOWN),
  }))
}
