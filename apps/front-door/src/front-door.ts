import { parseParty } from '@sealpost/bus'
import { type HttpServer, openInternalServer, openServer, proxyAdvice, wireOptions } from '@sealpost/http'
import { ping, requireSteps } from '@sealpost/postgres'
import { type EngineCheck, knownState, watchEngines } from '@sealpost/process'
import { composeFrontDoor, frontDoorMigrations } from './compose.ts'
import { findHomeUrl } from './modules/directory/index.ts'
import { openRouteBinder } from './platform/bind-route.ts'
import { type EngineOptions, openEngines } from './platform/engines.ts'
import { createGates } from './platform/gates.ts'
import type { Platform } from './platform/module.ts'
import type { FrontDoorSettings } from './settings.ts'

export interface RunningFrontDoor {
  readonly platform: Platform
  readonly url: string
  readonly internalUrl: string
  /** Reports from now on that it is not ready, and still serves. */
  drain(): void
  close(): Promise<void>
}

/** Opens the engines, binds the modules and listens. */
export async function startFrontDoor(settings: FrontDoorSettings, options: EngineOptions): Promise<RunningFrontDoor> {
  const { platform, isRedisUsed, close } = await openEngines(settings, options)
  const checkSchema = (): Promise<void> => requireSteps(platform.database, frontDoorMigrations, 'front-door')
  await checkSchema().catch(async (error: unknown) => {
    await close()
    throw error
  })
  const server = await openApi(platform)
  await platform.bus.start()
  const url = await server.listen({ host: settings.LISTEN_HOST, port: settings.LISTEN_PORT })
  const engines = watchEngines(options, engineChecks(platform, isRedisUsed))
  const checks = [
    { name: 'database', run: () => ping(platform.database) },
    { name: 'schema', run: checkSchema },
  ]
  const internal = openInternalServer(options.telemetry, checks, () => engines.degraded())
  const internalUrl = await internal.listen({ host: settings.INTERNAL_HOST, port: settings.INTERNAL_PORT })
  return {
    platform,
    url,
    internalUrl,
    drain() {
      internal.drain()
      server.drain()
    },
    async close() {
      // First: regions ask another process from now on, and this one still answers what it was asked.
      await platform.bus.leave()
      await Promise.all([server.close(settings.SHUTDOWN_GRACE_SECONDS * 1000), engines.close()])
      await close()
      await internal.close()
    },
  }
}

/** Engines without which a front door is degraded: logins need Redis, asks need the NATS of their region. */
function engineChecks({ bus, settings }: Platform, isRedisUsed: () => boolean): readonly EngineCheck[] {
  return [
    knownState('redis', isRedisUsed, 'logins are refused'),
    ...settings.REGIONS.map(({ code }) =>
      knownState(`nats of ${code}`, () => !bus.awayCarriers().includes(parseParty(code)), 'not connected'),
    ),
  ]
}

/** Binds the modules to the bus and to a server that does not listen yet. */
async function openApi(platform: Platform): Promise<HttpServer> {
  const { settings, telemetry, ids, bus } = platform
  const advice = proxyAdvice(settings.PUBLIC_URL, settings.TRUSTED_PROXIES)
  if (advice !== null) telemetry.log.warn({}, advice)
  const server = openServer({ telemetry, ids, ...wireOptions(settings, settings.PUBLIC_URL) })
  const gates = createGates(platform, (claims) => findHomeUrl(platform, claims))
  const http = openRouteBinder(server, gates)
  for (const module of composeFrontDoor(platform)) {
    module.onBus?.(bus)
    await module.routes?.(http)
  }
  http.bindRegional()
  return server
}
