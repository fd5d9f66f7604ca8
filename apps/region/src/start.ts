import { openInternalServer } from '@sealpost/http'
import { type Clock, type Ids, type Random, SettingsError } from '@sealpost/kernel'
import { ping } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import { type ComposedApi, composeApi } from './compose.ts'
import { openCore, type RegionCore } from './core.ts'
import type { RegionSettings } from './settings.ts'
import { startUpkeep } from './upkeep.ts'

export interface RunningRegion {
  readonly core: RegionCore
  readonly api: ComposedApi | null
  /** Null when this process does not run the `api` role. */
  readonly url: string | null
  readonly internalUrl: string
  /** From now on it says that it is not ready, and still serves. */
  drain(): void
  close(): Promise<void>
}

export interface StartNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
}

const ROLES = ['api', 'worker']

/** Opens what the settings name, runs the roles they ask for and listens. */
export async function startRegion(settings: RegionSettings, needs: StartNeeds): Promise<RunningRegion> {
  const roles = readRoles(settings.REGION_ROLES)
  const core = await openCore(settings, {
    ...needs,
    roles: { relay: roles.worker, inbox: roles.worker, responder: roles.api },
  })
  await core.bus.start()
  const stopUpkeep = roles.worker ? startUpkeep(core.idempotency, core.telemetry.log) : null
  const api = roles.api ? await composeApi(core) : null
  const host = settings.LISTEN_HOST
  const url = api === null ? null : await api.server.listen({ host, port: settings.LISTEN_PORT })
  // A bus or a Redis that is away degrades a region; only without its database can it serve nobody.
  const internal = openInternalServer(needs.telemetry, [{ name: 'database', run: () => ping(core.database) }])
  const internalUrl = await internal.listen({ host: settings.INTERNAL_HOST, port: settings.INTERNAL_PORT })
  return {
    core,
    api,
    url,
    internalUrl,
    drain: () => internal.drain(),
    async close() {
      stopUpkeep?.()
      await api?.close()
      await core.close()
      await internal.close()
    },
  }
}

function readRoles(names: readonly string[]): { readonly api: boolean; readonly worker: boolean } {
  const unknown = names.find((name) => !ROLES.includes(name))
  if (unknown !== undefined || names.length === 0) {
    throw new SettingsError([`REGION_ROLES: takes ${ROLES.join(' and ')}, not ${unknown ?? 'nothing'}`])
  }
  return { api: names.includes('api'), worker: names.includes('worker') }
}
