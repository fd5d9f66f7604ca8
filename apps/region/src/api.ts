import { createTokenVerifier, type TokenVerifier } from '@sealpost/access-token'
import {
  bindRoute,
  type Gates,
  type HttpServer,
  openServer,
  type postgresIdempotency,
  wireOptions,
} from '@sealpost/http'
import { startLoop } from '@sealpost/process'
import { readHealth } from '@sealpost/protocol'
import type { Log } from '@sealpost/telemetry'
import packageJson from '../package.json' with { type: 'json' }
import { listModules, type Modules } from './compose.ts'
import {
  applyEpoch,
  createGates,
  createMissCounter,
  createHomeFinder,
  type Guard,
  loadSigningKeys,
  quotasOf,
  type TokenRequest,
  tokenRoute,
} from './modules/access/index.ts'
import { routeBinder } from './platform/bind-route.ts'
import type { Caller } from './platform/caller.ts'
import type { Closable, Platform } from './platform/module.ts'
import { regionProxyAdvice } from './platform/proxy-advice.ts'
import type { RedisLimits } from './platform/redis-limits.ts'

/** What the role needs of an opened region. */
export interface ServedRegion {
  readonly platform: Platform
  readonly modules: Modules
  readonly shared: NonNullable<RedisLimits['opened']>
  readonly guard: Guard
  readonly idempotency: ReturnType<typeof postgresIdempotency>
}

export interface Api extends Closable {
  readonly server: HttpServer
  readonly guard: Guard
  /** False while limits are counted in this process, because Redis is away. */
  readonly isRedisUsed: () => boolean
}

const RELOAD_KEYS_EVERY_MS = 60_000

/** The `api` role: Redis, the token verifier, the gates, and the routes of every module. */
export async function openApi(region: ServedRegion): Promise<Api> {
  const { platform, modules, guard } = region
  const { settings, database, clock, ids, telemetry, log } = platform
  const { directory } = modules.access
  const advice = regionProxyAdvice(platform)
  if (advice !== null) log.warn({}, advice)

  const { redis, limiter } = region.shared
  const verifier = createTokenVerifier({
    issuer: settings.FRONT_DOOR_URL,
    clock,
    loadKeys: () => loadSigningKeys({ database: database.reserved, directory, log }),
  })
  const reloading = await keepKeysFresh(verifier, log)
  const quotas = quotasOf(settings)
  const gates = createGates({
    region: platform.region,
    guard,
    verifier,
    quotas,
    limiter,
    raiseEpoch: ({ companyId, clientId }, epoch) =>
      applyEpoch({ database: database.reserved, clock }, companyId, clientId, epoch),
    homeOf: createHomeFinder({ directory, regions: settings.REGIONS, frontDoorUrl: settings.FRONT_DOOR_URL, clock }),
  })

  const server = openServer({
    telemetry,
    ids,
    ...wireOptions(settings, settings.FRONT_DOOR_URL),
    idempotency: region.idempotency,
    isCrowded: () => database.isCrowded(),
  })
  const bind = routeBinder(server, gates, createMissCounter({ limiter, clock, quota: quotas.misses }))
  for (const module of listModules(modules)) module.routes?.(bind)
  bindInEveryState(region, server, gates)

  return {
    server,
    guard,
    isRedisUsed: () => redis.isReady() && limiter.isShared(),
    async close() {
      await reloading.close()
      await server.close(settings.SHUTDOWN_GRACE_SECONDS * 1000)
    },
  }
}

/** These two answer also while the region is out of order. */
function bindInEveryState({ platform, modules, guard }: ServedRegion, server: HttpServer, gates: Gates<Caller>): void {
  const { region, settings } = platform
  const inEveryState = { ...gates, checkPlatform() {} }
  const { FRONT_DOOR_URL: frontDoorUrl, REGIONS: regions } = settings
  const apiUrl = regions.find(({ code }) => code === region)?.apiUrl ?? null
  const relay = (request: TokenRequest) => modules.access.directory.relayToken(request)
  bindRoute(server, inEveryState, tokenRoute({ guard, apiUrl, frontDoorUrl, relay }))
  // Health reports the state, so it answers in every state, also without the database.
  bindRoute(server, inEveryState, {
    operation: readHealth,
    handle: () => ({ status: statusOf(guard.lastSwitches()), region, version: packageJson.version }),
  })
}

/** Loaded before the first call, so that a front door that fails later does not matter; withdrawn keys end within a minute. */
async function keepKeysFresh(verifier: TokenVerifier, log: Log): Promise<Closable> {
  const loop = startLoop({
    name: 'loading the signing keys',
    log,
    everyMs: RELOAD_KEYS_EVERY_MS,
    firstAfterMs: RELOAD_KEYS_EVERY_MS,
    backoff: { firstMs: RELOAD_KEYS_EVERY_MS, longestMs: RELOAD_KEYS_EVERY_MS },
    work: () => verifier.reloadKeys(),
  })
  await loop.run()
  return loop
}

function statusOf(switches: { writesPaused: boolean; outOfOrder: boolean }): 'ok' | 'writes_paused' | 'out_of_order' {
  if (switches.outOfOrder) return 'out_of_order'
  return switches.writesPaused ? 'writes_paused' : 'ok'
}
