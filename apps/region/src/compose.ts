import { createTokenVerifier, type TokenVerifier } from '@sealpost/access-token'
import { bindRoute, type Gates, type HttpServer, openServer, wireOptions } from '@sealpost/http'
import { readHealth } from '@sealpost/protocol'
import { openLimiter, openRedis } from '@sealpost/redis'
import type { Log } from '@sealpost/telemetry'
import packageJson from '../package.json' with { type: 'json' }
import { routeBinder } from './bind.ts'
import type { Caller } from './caller.ts'
import type { RegionCore } from './core.ts'
import {
  applyEpoch,
  createGates,
  createHomeFinder,
  type Guard,
  loadSigningKeys,
  quotasOf,
  tokenRoute,
} from './modules/access/index.ts'
import { bindAccountRoutes } from './modules/account/index.ts'
import { bindClientRoutes } from './modules/clients/index.ts'
import { bindConnectionRoutes } from './modules/connections/index.ts'
import { bindFeedRoutes } from './modules/feed/index.ts'
import { bindGrantRoutes } from './modules/grants/index.ts'
import { bindSecurityRoutes, recoveryProof } from './modules/login/index.ts'
import { bindRegistryRoutes } from './modules/registry/index.ts'
import { bindServiceRoutes, ownsServices } from './modules/services/index.ts'
import { bindPhotoRoutes, bindVaultRoutes } from './modules/vault/index.ts'
import { bindWebhookRoutes } from './modules/webhooks/index.ts'
import { digestHeader } from './settings.ts'

export interface ComposedApi {
  readonly server: HttpServer
  readonly guard: Guard
  close(): Promise<void>
}

const SHUTDOWN_GRACE_MS = 10_000
const KEYS_EVERY_MS = 60_000

/** The API role of a region: everything that answers HTTP calls, in the order in which it depends on each other. */
export async function composeApi(core: RegionCore): Promise<ComposedApi> {
  const { region, settings, database, clock, ids, telemetry, clientDirectory: directory, guard } = core
  if (guard === null) throw new Error('the API role needs a core that serves')
  const log = telemetry.log

  const redis = await openRedis({ url: settings.REDIS_URL.reveal(), telemetry })
  const limiter = openLimiter({ redis, clock, telemetry })
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
  bindModules(core, server, gates)
  bindInEveryState(core, guard, server, gates)

  return {
    server,
    guard,
    async close() {
      clearInterval(refreshing)
      await server.close(SHUTDOWN_GRACE_MS)
      limiter.close()
      await redis.close()
    },
  }
}

function bindModules(core: RegionCore, server: HttpServer, gates: Gates<Caller>): void {
  const { settings, database } = core
  const bind = routeBinder(server, gates)
  bindServiceRoutes(bind, core.services)
  bindClientRoutes(bind, { ...core.clients, hasSecondFactor: core.services.hasSecondFactor })
  bindAccountRoutes(bind, {
    ...core.account,
    ownsServices: (companyId, services) => database.read((read) => ownsServices(read, companyId, services)),
    proof: recoveryProof(core.login),
  })
  bindSecurityRoutes(bind, {
    ...core.login,
    account: core.account,
    webAuthn: { rpId: settings.WEBAUTHN_RP_ID, origins: settings.APP_ORIGINS },
  })
  bindFeedRoutes(bind, core.feed)
  bindWebhookRoutes(bind, { ...core.webhooks, hasSecondFactor: core.services.hasSecondFactor })
  bindRegistryRoutes(bind, core.registry)
  bindPhotoRoutes(bind, core.photos)
  bindVaultRoutes(bind, { ...core.vault, digestHeader: digestHeader(settings) })
  bindConnectionRoutes(bind, { ...core.connections, hasSecondFactor: core.services.hasSecondFactor })
  bindGrantRoutes(bind, { bus: core.bus, regions: settings.REGIONS })
}

/** What answers also while the region is out of order. */
function bindInEveryState(core: RegionCore, guard: Guard, server: HttpServer, gates: Gates<Caller>): void {
  const { region, settings, clientDirectory: directory } = core
  const inEveryState = { ...gates, checkPlatform() {} }
  const { FRONT_DOOR_URL: frontDoorUrl } = settings
  bindRoute(
    server,
    inEveryState,
    tokenRoute({ guard, frontDoorUrl, relay: (request) => directory.relayToken(request) }),
  )
  // Health tells the state, so it answers in every state, also without the database.
  bindRoute(server, inEveryState, {
    operation: readHealth,
    handle: () => ({ status: statusOf(guard.lastSwitches()), region, version: packageJson.version }),
  })
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

function statusOf(switches: { writesPaused: boolean; outOfOrder: boolean }): 'ok' | 'writes_paused' | 'out_of_order' {
  if (switches.outOfOrder) return 'out_of_order'
  return switches.writesPaused ? 'writes_paused' : 'ok'
}
