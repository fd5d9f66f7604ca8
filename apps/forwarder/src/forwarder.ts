import { parseParty } from '@sealpost/bus'
import { type HttpServer, openInternalServer, openServer, proxyAdvice, wireOptions } from '@sealpost/http'
import { type EngineCheck, knownState, watchEngines } from '@sealpost/process'
import { type Forwarding, openForwarding } from './compose.ts'
import { type EngineOptions, openEngines } from './platform/engines.ts'
import type { Platform } from './platform/module.ts'
import type { ForwarderSettings } from './settings.ts'

export interface RunningForwarder {
  readonly url: string
  readonly internalUrl: string
  /** Reports from now on that it is not ready, and still serves. */
  drain(): void
  close(): Promise<void>
}

/** Opens the engines, binds the routes and listens. */
export async function startForwarder(settings: ForwarderSettings, options: EngineOptions): Promise<RunningForwarder> {
  const { platform, isRedisReady, close } = await openEngines(settings, options)
  const forwarding = await openForwarding(platform).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const server = openApi(platform, forwarding)
  const url = await server.listen({ host: settings.LISTEN_HOST, port: settings.LISTEN_PORT })
  const engines = watchEngines(options, engineChecks(platform))
  const checks = [{ name: 'redis', run: () => requireRedis(isRedisReady) }]
  const internal = openInternalServer(options.telemetry, checks, () => engines.degraded())
  const internalUrl = await internal.listen({ host: settings.INTERNAL_HOST, port: settings.INTERNAL_PORT })
  return {
    url,
    internalUrl,
    drain() {
      internal.drain()
      server.drain()
    },
    async close() {
      await Promise.all([server.close(settings.SHUTDOWN_GRACE_SECONDS * 1000), engines.close(), forwarding.close()])
      await close()
      await internal.close()
    },
  }
}

/** Without Redis every call is refused: a process that cannot reach it is not ready. */
async function requireRedis(isReady: () => boolean): Promise<void> {
  if (!isReady()) throw new Error('not connected')
}

function engineChecks({ asker, settings }: Platform): readonly EngineCheck[] {
  return settings.REGIONS.map(({ code }) =>
    knownState(`nats of ${code}`, () => !asker.awayCarriers().includes(parseParty(code)), 'not connected'),
  )
}

function openApi({ settings, telemetry, ids }: Platform, forwarding: Forwarding): HttpServer {
  const advice = proxyAdvice(settings.PUBLIC_URL, settings.TRUSTED_PROXIES)
  if (advice !== null) telemetry.log.warn({}, advice)
  const wire = wireOptions(settings, settings.FRONT_DOOR_URL)
  const server = openServer({ telemetry, ids, ...wire, isOpenToAllOrigins: true })
  forwarding.bind(server)
  return server
}
