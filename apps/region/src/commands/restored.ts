import { raiseIncarnation } from '@sealpost/bus'
import { runCommand } from '@sealpost/process'
import { type Reconciliation, reconcileClients } from '../modules/clients/index.ts'
import { renumberHints } from '../modules/devices/index.ts'
import { regionSettings } from '../settings.ts'
import { withRegion } from './open-region.ts'

/**
 * `node apps/region/src/commands/restored.ts`: run once after a backup was restored, before the region starts. The
 * clients come first: a directory that does not answer ends the command before anything has changed.
 */
await runCommand(regionSettings, (settings) =>
  withRegion(settings, async ({ platform: { database, clock }, modules }) => {
    const clients = await reconcileClients(modules.clients)
    await renumberHints(database)
    const incarnation = await raiseIncarnation(database, clock)
    const next = `this region is now incarnation ${incarnation}; start it, and it will compare cursors with every other party`
    return [...describe(clients), next].join('\n')
  }),
)

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
