import { openInternalServer } from '@sealpost/http'
import { ping } from '@sealpost/postgres'
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
  const internal = openInternalServer(needs.telemetry, [{ name: 'database', run: () => ping(composed.database) }])
  const internalUrl = await internal.listen({ port: settings.INTERNAL_PORT })
  return {
    composed,
    url,
    internalUrl,
    async close() {
      internal.drain()
      await composed.close()
      await internal.close()
    },
  }
}
