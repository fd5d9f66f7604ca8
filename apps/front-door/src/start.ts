import { openInternalServer } from '@sealpost/http'
import { ping } from '@sealpost/postgres'
import { type ComposedFrontDoor, composeFrontDoor, type FrontDoorNeeds } from './compose.ts'
import type { FrontDoorSettings } from './settings.ts'

export interface RunningFrontDoor {
  readonly composed: ComposedFrontDoor
  readonly url: string
  readonly internalUrl: string
  /** From now on it says that it is not ready, and still serves. */
  drain(): void
  close(): Promise<void>
}

export async function startFrontDoor(settings: FrontDoorSettings, needs: FrontDoorNeeds): Promise<RunningFrontDoor> {
  const composed = await composeFrontDoor(settings, needs)
  await composed.bus.start()
  const url = await composed.server.listen({ host: settings.LISTEN_HOST, port: settings.LISTEN_PORT })
  const internal = openInternalServer(needs.telemetry, [{ name: 'database', run: () => ping(composed.database) }])
  const internalUrl = await internal.listen({ host: settings.INTERNAL_HOST, port: settings.INTERNAL_PORT })
  return {
    composed,
    url,
    internalUrl,
    drain() {
      internal.drain()
      composed.server.drain()
    },
    async close() {
      await composed.close()
      await internal.close()
    },
  }
}
