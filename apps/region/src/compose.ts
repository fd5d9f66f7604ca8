import { createTokenVerifier, type TokenVerifier } from '@sealpost/access-token'
import { bindRoute, type HttpServer, openServer, wireOptions } from '@sealpost/http'
import { listen } from '@sealpost/postgres'
import { readHealth } from '@sealpost/protocol'
import { openLimiter, openRedis } from '@sealpost/redis'
import type { Log } from '@sealpost/telemetry'
import packageJson from '../package.json' with { type: 'json' }
import { routeBinder } from './bind.ts'
import type { RegionCore } from './core.ts'
import {
  applyEpoch,
  CHANGE_CHANNEL,
  createGates,
  createHomeFinder,
  type Guard,
  loadSigningKeys,
  openGuard,
  quotasOf,
} from './modules/access/index.ts'
import { bindServiceRoutes } from './modules/services/index.ts'

export interface ComposedApi {
  readonly server: HttpServer
  readonly guard: Guard
  close(): Promise<void>
}

const SHUTDOWN_GRACE_MS = 10_000
const KEYS_EVERY_MS = 60_000

/** The API role of a region: everything that answers HTTP calls, in the order in which it depends on each other. */
export async function composeApi(core: RegionCore): Promise<ComposedApi> {
  const { region, settings, database, clock, ids, telemetry, clientDirectory: directory } = core
  const log = telemetry.log

  const redis = await openRedis({ url: settings.REDIS_URL.reveal(), telemetry })
  const limiter = openLimiter({ redis, clock, telemetry })
  const guard = await openGuard({
    database,
    clock,
    ids,
    log,
    monotonicMs: () => performance.now(),
    onChange: (act) => onAccessChange(core, act),
  })
  const verifier = createTokenVerifier({
    issuer: settings.FRONT_DOOR_URL,
    clock,
    loadKeys: () => loadSigningKeys({ database, directory, log }),
  })
  const refreshing = await keepKeysFresh(verifier, log)
  const gates = createGates({
    region,
    guard,
    verifier,
    quotas: quotasOf(settings),
    limiter,
    raiseEpoch: ({ companyId, clientId }, epoch) => applyEpoch({ database, clock }, companyId, clientId, epoch),
    homeOf: createHomeFinder({ directory, regions: settings.REGIONS, frontDoorUrl: settings.FRONT_DOOR_URL, clock }),
  })

  const server = openServer({
    telemetry,
    ids,
    ...wireOptions(settings),
    idempotency: core.idempotency,
  })
  const bind = routeBinder(server, gates)
  bindServiceRoutes(bind)
  // Health tells the state, so it answers in every state, also without the database.
  bindRoute(
    server,
    { ...gates, checkPlatform() {} },
    {
      operation: readHealth,
      handle: () => ({ status: statusOf(guard.lastSwitches()), region, version: packageJson.version }),
    },
  )

  return {
    server,
    guard,
    async close() {
      clearInterval(refreshing)
      await server.close(SHUTDOWN_GRACE_MS)
      await guard.close()
      limiter.close()
      await redis.close()
    },
  }
}

/** Known before the first call, so that a front door that dies later does not matter; withdrawn keys end within a minute. */
async function keepKeysFresh(verifier: TokenVerifier, log: Log): Promise<NodeJS.Timeout> {
  const reload = (): Promise<void> =>
    verifier.reloadKeys().catch((error: unknown) => {
      log.warn({ err: error }, 'the keys that tokens are checked with could not be read; the known ones stay in use')
    })
  await reload()
  return setInterval(() => void reload(), KEYS_EVERY_MS).unref()
}

async function onAccessChange({ settings, telemetry }: RegionCore, act: () => void): Promise<() => Promise<void>> {
  const listener = await listen({
    url: settings.DATABASE_URL.reveal(),
    channels: [CHANGE_CHANNEL],
    onNotification: act,
    onReconnect: act,
    onError: (error) => telemetry.log.warn({ err: error }, 'the listener for access changes lost its connection'),
  })
  return () => listener.close()
}

function statusOf(switches: { writesPaused: boolean; outOfOrder: boolean }): 'ok' | 'writes_paused' | 'out_of_order' {
  if (switches.outOfOrder) return 'out_of_order'
  return switches.writesPaused ? 'writes_paused' : 'ok'
}
