import { setTimeout as pause } from 'node:timers/promises'
import type { Bus, BusHealth } from '@sealpost/bus'
import { runCommand, systemClock, systemIds, systemRandom } from '@sealpost/process'
import { quietTelemetry } from '@sealpost/telemetry'
import { openCore } from './core.ts'
import { regionSettings } from './settings.ts'

const LOOKS = 20
const LOOK_EVERY_MS = 100

/** `node apps/region/src/doctor.ts`: what holds messages up between this region and the others, and what to do. */
await runCommand(regionSettings, async (settings) => {
  const roles = { relay: false, inbox: false, responder: false }
  const core = await openCore(settings, {
    clock: systemClock,
    ids: systemIds(),
    random: systemRandom,
    telemetry: quietTelemetry(),
    roles,
  })
  try {
    return describe(await healthOnceConnected(core.bus))
  } finally {
    await core.close()
  }
})

/** A connection takes a moment; one that has not come up by then is worth a line. */
async function healthOnceConnected(bus: Bus): Promise<BusHealth> {
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
