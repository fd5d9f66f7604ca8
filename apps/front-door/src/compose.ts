import { type AccessClaims, accountOfToken, createTokenVerifier, type TokenVerifier } from '@sealpost/access-token'
import { type Bus, DIRECTORY, openBus, partiesOf } from '@sealpost/bus'
import { bindRoute, type HttpServer, openServer, wireOptions } from '@sealpost/http'
import type { Clock, Ids } from '@sealpost/kernel'
import { type Database, openDatabase } from '@sealpost/postgres'
import { allOperations, isPublic, listRegions, readHealth, readUserInfo } from '@sealpost/protocol'
import { checkBucketSize, openLimiter, openRedis } from '@sealpost/redis'
import type { Telemetry } from '@sealpost/telemetry'
import packageJson from '../package.json' with { type: 'json' }
import { bindAuthorize, bindUserInfo } from './authorize/index.ts'
import { answerRegions, findHome } from './directory/index.ts'
import { createGates } from './gates.ts'
import { createAccessTokenSigner } from './oauth/access-token-signer.ts'
import { createOAuthProvider } from './oauth/provider.ts'
import { answerTokenRelay } from './oauth/relay.ts'
import { bindOAuth } from './routes/oauth.ts'
import { bindReference } from './routes/reference.ts'
import { describeRegions } from './routes/regions.ts'
import { bindRegistration, bindSessions, type SessionNeeds } from './sessions/index.ts'
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
  answerRegions({
    bus,
    database,
    clock,
    ids,
    pepper,
    directoryKey: settings.DIRECTORY_KEY,
    signingKeys,
    regions: regions.map(({ code }) => code),
  })

  const { RATE_TOKEN, RATE_DATA, RATE_LOGIN_IP, RATE_LOGIN_ACCOUNT, RATE_RESULT } = settings
  for (const quota of [RATE_TOKEN, RATE_DATA, RATE_LOGIN_IP, RATE_LOGIN_ACCOUNT, RATE_RESULT]) {
    checkBucketSize({ quota, windowSeconds: 60 })
  }
  const redis = await openRedis({ url: settings.REDIS_URL.reveal(), telemetry })
  const limiter = openLimiter({ redis, clock, telemetry })
  const verifier = createTokenVerifier({ issuer, clock, loadKeys: () => Promise.resolve(signingKeys.publicKeys) })
  const gates = createGates({
    verifier,
    tokenQuota: settings.RATE_TOKEN,
    dataQuota: settings.RATE_DATA,
    loginQuota: settings.RATE_LOGIN_IP,
    limiter,
    homeOf: (claims) => homeOf(database, settings, claims),
  })

  const server = openServer({
    telemetry,
    ids,
    ...wireOptions(settings),
  })
  bindLogins(server, gates, settings, needs, { database, bus, limiter, verifier })
  await bindInformation(server, gates, settings, database)
  bindMisplaced(server, gates)

  return {
    server,
    database,
    bus,
    async close() {
      await bus.leave()
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

type LoginParts = Pick<SessionNeeds, 'database' | 'bus' | 'limiter'> & { readonly verifier: TokenVerifier }

/** Clients and people who prove who they are. */
function bindLogins(
  server: HttpServer,
  gates: ReturnType<typeof createGates>,
  settings: FrontDoorSettings,
  needs: FrontDoorNeeds,
  { verifier, ...opened }: LoginParts,
): void {
  const { REGIONS: regions, SIGNING_KEYS: signingKeys, SECRET_PEPPER: pepper, PUBLIC_URL: issuer } = settings
  const { database, bus } = opened
  const provider = createOAuthProvider({
    ...needs,
    issuer,
    database,
    bus,
    pepper,
    regions,
    signingKeys,
    refreshTtlDays: settings.REFRESH_TTL_DAYS,
    refreshMaxDays: settings.REFRESH_MAX_DAYS,
  })
  bindOAuth(server, gates, provider, issuer)
  answerTokenRelay(bus, provider, issuer)
  const sessions = sessionNeeds(settings, needs, opened)
  bindSessions(server, gates, sessions)
  bindRegistration(server, gates, sessions)
  bindAuthorize(server, gates, {
    ...sessions,
    ...needs,
    issuer,
    pepper,
    provider,
    verifier,
    authWebUrl: settings.AUTH_WEB_URL,
    loginQuota: settings.RATE_LOGIN_IP,
    resultQuota: settings.RATE_RESULT,
    dataQuota: settings.RATE_DATA,
  })
  bindUserInfo(server, gates, { bus, database, regions })
}

/** What everybody may know: the regions, the state, the documents. */
async function bindInformation(
  server: HttpServer,
  gates: ReturnType<typeof createGates>,
  { REGIONS: regions, PUBLIC_URL: frontDoorUrl, HEADER_VENDOR: headerVendor }: FrontDoorSettings,
  database: Database,
): Promise<void> {
  bindRoute(server, gates, { operation: listRegions, handle: () => describeRegions(database, regions) })
  bindRoute(server, gates, {
    operation: readHealth,
    handle: () => ({ status: 'ok' as const, region: null, version: packageJson.version }),
  })
  await bindReference(server, gates, { frontDoorUrl, apiUrls: regions.map(({ apiUrl }) => apiUrl), headerVendor })
}

function sessionNeeds(
  settings: FrontDoorSettings,
  { clock, ids }: FrontDoorNeeds,
  opened: Pick<SessionNeeds, 'database' | 'bus' | 'limiter'>,
): SessionNeeds {
  const { PUBLIC_URL: issuer, SIGNING_KEYS: signingKeys } = settings
  return {
    ...opened,
    clock,
    signer: createAccessTokenSigner({ issuer, clock, ids, signingKeys }),
    regions: settings.REGIONS,
    directoryKey: settings.DIRECTORY_KEY,
    accountQuota: settings.RATE_LOGIN_ACCOUNT,
    kdfCost: { memoryKib: settings.KDF_MEMORY_KIB, passes: settings.KDF_PASSES },
    appOrigins: settings.APP_ORIGINS,
  }
}

/** Routes with a caller that are bound on their own. */
const SERVED_HERE: readonly string[] = [readUserInfo.id]

/** Every other route that needs a caller lives in a region: here it says where. See `checkHome` in gates.ts. */
function bindMisplaced(server: HttpServer, gates: ReturnType<typeof createGates>): void {
  for (const operation of allOperations.filter(
    (candidate) => !isPublic(candidate) && !SERVED_HERE.includes(candidate.id),
  )) {
    bindRoute(server, gates, {
      // Nobody gets as far as the Idempotency-Key.
      operation: { ...operation, creates: false },
      handle() {
        throw new Error(`${operation.id} was served at the front door`)
      },
    })
  }
}

/** The directory decides; a caller who is gone is still told where the token was good. */
async function homeOf(database: Database, settings: FrontDoorSettings, claims: AccessClaims): Promise<string> {
  const account = accountOfToken(claims)
  const clientId = account === null ? claims.clientId : null
  const home = (await database.read((read) => findHome(read, account, clientId))) ?? claims.region
  return settings.REGIONS.find(({ code }) => code === home)?.apiUrl ?? settings.PUBLIC_URL
}
