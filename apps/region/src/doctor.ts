import { setTimeout as pause } from 'node:timers/promises'
import { runCommand, systemClock, systemIds, systemRandom } from '@sealpost/process'
import { quietTelemetry } from '@sealpost/telemetry'
import { openCore } from './core.ts'
import { diagnose } from './diagnosis/index.ts'
import { regionSettings } from './settings.ts'

/**
 * `node apps/region/src/doctor.ts`: what holds messages up between this region and the others, and what to do;
 * `… doctor.ts webhook <id>`: the same for the deliveries of a webhook.
 */
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
    return await diagnose(core, process.argv.slice(2), async (ms) => pause(ms))
  } finally {
    await core.close()
  }
})
