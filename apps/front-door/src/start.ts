import { openInternalServer } from '@sealpost/http'
import { type ComposedFrontDoor, composeFrontDoor, type FrontDoorNeeds } from './compose.ts'
import type { FrontDoorSettings } from './settings.ts'

export interface RunningFrontDoor {
  readonly composed: ComposedFrontDoor
  readonly url: string
  readonly internalUrl: string
  close(): Promise<void>
}

export async function startFrontDoor(settings: FrontDoorSettings, needs: FrontDoorNeeds): Promise<RunningFrontDoor> {
  const composed = await composeFrontDoor(settings, needs)
  await composed.bus.start()
  const url = await composed.server.listen({ host: settings.LISTEN_HOST, port: settings.LISTEN_PORT })
  const internal = await openInternalServer({
    port: settings.INTERNAL_PORT,
    telemetry: needs.telemetry,
    checks: { database: () => composed.database.read(() => Promise.resolve()), bus: () => composed.bus.health() },
  })
  return {
    composed,
    url,
    internalUrl: internal.url,
    async close() {
      await internal.close()
      await composed.close()
    },
  }
}
