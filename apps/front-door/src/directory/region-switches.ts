import type { Bus } from '@sealpost/bus'
import type { RegionCode } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { flagRegionAsk, refuse } from '@sealpost/protocol'
import { readRegion } from './read-ask.ts'
import { flagRegion, isFlagged } from './store.ts'

/** A region is flagged by its own operators; nobody else may. */
export function answerAboutSwitches(bus: Bus, regions: readonly RegionCode[]): void {
  bus.onAsk(flagRegionAsk, async (tx, { from, body }) => {
    await flagRegion(tx, readRegion(regions, from), body.out_of_order)
    return {}
  })
}

/** For what needs a region: while that is being rebuilt it is refused here, without waiting for a region that may be gone. */
export async function refuseOutOfOrder(database: Database, region: RegionCode): Promise<void> {
  if (await isOutOfOrder(database, region)) throw refuse('platform.out_of_order')
}

export function isOutOfOrder(database: Database, region: RegionCode): Promise<boolean> {
  return database.read((read) => isFlagged(read, region))
}
