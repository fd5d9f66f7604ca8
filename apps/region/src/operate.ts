import { runCommand, systemClock, systemIds, systemRandom } from '@sealpost/process'
import { quietTelemetry } from '@sealpost/telemetry'
import { openCore } from './core.ts'
import { operate } from './operator/index.ts'
import { regionSettings } from './settings.ts'

/** `node apps/region/src/operate.ts <command> …`: one act of an operator, with the settings of the region. */
await runCommand(regionSettings, async (settings) => {
  const core = await openCore(settings, {
    clock: systemClock,
    ids: systemIds(),
    random: systemRandom,
    telemetry: quietTelemetry(),
    roles: { relay: false, inbox: false, responder: false },
  })
  try {
    return await operate(core, process.argv.slice(2), (line) => void process.stderr.write(`${line}\n`))
  } finally {
    await core.close()
  }
})
