import { type AccessClaims, createTokenVerifier } from '@sealpost/access-token'
import { type Bus, DIRECTORY, openBus, partiesOf } from '@sealpost/bus'
import { bindRoute, type HttpServer, openServer, wireOptions } from '@sealpost/http'
import type { Clock, Ids } from '@sealpost/kernel'
import { type Database, openDatabase } from '@sealpost/postgres'
import { allOperations, isPublic, listRegions, readHealth } from '@sealpost/protocol'
import { checkBucketSize, openLimiter, openRedis } from '@sealpost/redis'
import type { Telemetry } from '@sealpost/telemetry'
import packageJson from '../package.json' with { type: 'json' }
import { answerRegions, findClient } from './directory/index.ts'
import { createGates } from './gates.ts'
import { createOAuthProvider } from './oauth/provider.ts'
import { bindOAuth } from './routes/oauth.ts'
import { bindReference } from './routes/reference.ts'
import { describeRegions } from './routes/regions.ts'
import type { FrontDoorSettings } from './settings.ts'

export interface FrontDoorNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly telemetry: Telemetry
}

export interface ComposedFrontDoor {
  readonly server: HttpServer
  readonly database: Database
  readonly bus: Bus
  close(): Promise<void>
}

const SHUTDOWN_GRACE_MS = 10_000

/** The whole front door, in the order in which its parts depend on each other. */
export async function composeFrontDoor(settings: FrontDoorSettings, needs: FrontDoorNeeds): Promise<ComposedFrontDoor> {
  const { clock, ids, telemetry } = needs
  const { REGIONS: regions, SIGNING_KEYS: signingKeys, SECRET_PEPPER: pepper, PUBLIC_URL: issuer } = settings

  const database = openDirectory(settings, telemetry)
  const bus = openDirectoryBus(settings, needs, database)
  answerRegions({ bus, database, clock, pepper, signingKeys, regions: regions.map(({ code }) => code) })

  checkBucketSize({ quota: settings.RATE_TOKEN, windowSeconds: 60 })
  const redis = await openRedis({ url: settings.REDIS_URL.reveal(), telemetry })
  const limiter = openLimiter({ redis, clock, telemetry })
  const gates = createGates({
    verifier: createTokenVerifier({ issuer, clock, loadKeys: () => Promise.resolve(signingKeys.publicKeys) }),
    tokenQuota: settings.RATE_TOKEN,
    limiter,
    homeOf: (claims) => homeOf(database, settings, claims),
  })

  const server = openServer({
    telemetry,
    ids,
    ...wireOptions(settings),
  })
  const provider = createOAuthProvider({ issuer, database, clock, ids, pepper, regions, signingKeys, telemetry })
  bindOAuth(server, gates, provider, issuer)
  bindRoute(server, gates, { operation: listRegions, handle: () => describeRegions(database, regions) })
  bindRoute(server, gates, {
    operation: readHealth,
    handle: () => ({ status: 'ok' as const, region: null, version: packageJson.version }),
  })
  await bindReference(server, gates, {
    frontDoorUrl: issuer,
    apiUrls: regions.map(({ apiUrl }) => apiUrl),
    headerVendor: settings.HEADER_VENDOR,
  })
  bindMisplaced(server, gates)

  return {
    server,
    database,
    bus,
    async close() {
      await server.close(SHUTDOWN_GRACE_MS)
      await bus.close()
      limiter.close()
      await redis.close()
      await database.close()
    },
  }
}

function openDirectory(settings: FrontDoorSettings, telemetry: Telemetry): Database {
  return openDatabase({
    url: settings.DIRECTORY_DATABASE_URL.reveal(),
    poolSize: settings.DATABASE_POOL,
    applicationName: 'sealpost-front-door',
    onBackgroundError: (error) => telemetry.log.warn({ err: error }, 'a database connection broke in the background'),
  })
}

function openDirectoryBus(settings: FrontDoorSettings, needs: FrontDoorNeeds, database: Database): Bus {
  const { clock, ids, telemetry } = needs
  return openBus({
    self: DIRECTORY,
    parties: partiesOf(settings.REGIONS, { user: settings.NATS_USER, password: settings.NATS_PASSWORD }),
    database,
    clock,
    ids,
    telemetry,
    roles: { relay: true, inbox: true, responder: true },
    historyHours: settings.BUS_HISTORY_HOURS,
  })
}

/** Every route that needs a caller lives in a region: here it says where. See `checkHome` in gates.ts. */
function bindMisplaced(server: HttpServer, gates: ReturnType<typeof createGates>): void {
  for (const operation of allOperations.filter((candidate) => !isPublic(candidate))) {
    bindRoute(server, gates, {
      operation,
      handle() {
        throw new Error(`${operation.id} was served at the front door`)
      },
    })
  }
}

/** The directory decides; a client that is gone is still told where its token was good. */
async function homeOf(database: Database, settings: FrontDoorSettings, claims: AccessClaims): Promise<string> {
  const client = await database.read((read) => findClient(read, claims.clientId))
  const home = client?.region ?? claims.region
  return settings.REGIONS.find(({ code }) => code === home)?.apiUrl ?? settings.PUBLIC_URL
}
