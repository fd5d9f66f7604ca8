import type { Bus, BusHealth } from '@sealpost/bus'
import type { Pause } from './pause.ts'

const LOOKS = 20
const LOOK_EVERY_MS = 100

/** What holds messages up between this region and the others. */
export async function diagnoseMessages(bus: Bus, pause: Pause): Promise<string> {
  return describe(await healthOnceConnected(bus, pause))
}

/** A connection takes a moment; one that has not come up by then is worth a line. */
async function healthOnceConnected(bus: Bus, pause: Pause): Promise<BusHealth> {
  for (let look = 1; ; look += 1) {
    const health = await bus.health()
    if (health.awayCarriers.length === 0 || look === LOOKS) return health
    await pause(LOOK_EVERY_MS)
  }
}

function describe({ awayCarriers, heldPeers, failingLanes, openLosses }: BusHealth): string {
  const lines = [
    ...awayCarriers.map(
      (region) => `NATS of ${region} cannot be reached from here: check that it runs and the address in REGIONS`,
    ),
    ...heldPeers.map(({ party, reason }) => `nothing is exchanged with ${party}: ${reason}`),
    ...failingLanes.map((lane) => `a message cannot be applied and holds its line: ${JSON.stringify(lane)}`),
    ...openLosses.map((loss) => `after a restore this is still to be reconciled: ${JSON.stringify(loss)}`),
  ]
  return lines.length === 0 ? 'nothing holds messages up' : lines.join('\n')
}
