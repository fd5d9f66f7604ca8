import type { Bus, BusHealth } from '@sealpost/bus'

/** Waits between two reads of the same state. */
export type Pause = (ms: number) => Promise<void>

const READS = 20
const READ_EVERY_MS = 100

/** Why messages between this region and the others wait. */
export async function diagnoseMessages(bus: Bus, pause: Pause): Promise<string> {
  return describe(await healthOnceConnected(bus, pause))
}

/** A connection takes a moment; one that is still missing after the last read is reported. */
async function healthOnceConnected(bus: Bus, pause: Pause): Promise<BusHealth> {
  for (let reads = 1; ; reads += 1) {
    const health = await bus.health()
    if (health.awayCarriers.length === 0 || reads === READS) return health
    await pause(READ_EVERY_MS)
  }
}

function describe({ awayCarriers, heldPeers, failingLanes, openLosses }: BusHealth): string {
  const lines = [
    ...awayCarriers.map(
      (region) =>
        `NATS of ${region} cannot be used from here: check that it runs, the address in REGIONS, and NATS_KEYS (docs/runbooks/bus-credentials.md)`,
    ),
    ...heldPeers.map(({ party, reason }) => `nothing is exchanged with ${party}: ${reason}`),
    ...failingLanes.map((lane) => `a message cannot be applied and blocks its lane: ${JSON.stringify(lane)}`),
    ...openLosses.map((loss) => `after a restore this must still be reconciled: ${JSON.stringify(loss)}`),
  ]
  return lines.length === 0 ? 'no message is blocked' : lines.join('\n')
}
