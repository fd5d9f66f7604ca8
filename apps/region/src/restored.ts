import { raiseIncarnation } from '@sealpost/bus'
import { runCommand, systemClock, systemIds, systemRandom } from '@sealpost/process'
import { quietTelemetry } from '@sealpost/telemetry'
import { openCore } from './core.ts'
import { type Reconciliation, reconcileClients } from './modules/clients/index.ts'
import { regionSettings } from './settings.ts'

/**
 * `node apps/region/src/restored.ts`: to be run once after a backup was restored, before the region starts. The clients
 * come first: a directory that cannot be asked ends the command before anything has changed.
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
    const clients = await reconcileClients(core.clients)
    const incarnation = await raiseIncarnation(core.database, core.clock)
    const next = `this region is now incarnation ${incarnation}; start it, and it will compare cursors with every other party`
    return [...describe(clients), next].join('\n')
  } finally {
    await core.close()
  }
})

function describe({ removed, restored, renewed, lost, unknownAccounts }: Reconciliation): readonly string[] {
  const lines = [`clients compared with the directory: ${removed} removed, ${restored} put back, ${renewed} renewed`]
  if (lost.length > 0) {
    lines.push(
      `these were registered after the backup together with keys or a service that are lost, and have ended: ` +
        `${lost.join(', ')}; their owners must make them again`,
    )
  }
  if (unknownAccounts > 0) {
    lines.push(`${unknownAccounts} clients belong to accounts that the backup does not know; they are left as they are`)
  }
  return lines
}
