import { createTokenVerifier } from '@sealpost/access-token'
import { type Bus, DIRECTORY, openBus, type Parties, partiesOf } from '@sealpost/bus'
import { checkRows, type Database, databaseLimits, openDatabase } from '@sealpost/postgres'
import { checkBucketSize, openLimiter, openRedis } from '@sealpost/redis'
import type { FrontDoorSettings } from '../settings.ts'
import { createAccessTokenSigner } from './access-token-signer.ts'
import type { Platform } from './module.ts'
import { createPassSigner } from './pass-signer.ts'

/** The parts of the platform that the process provides. */
export type EngineOptions = Pick<Platform, 'clock' | 'ids' | 'telemetry'>

export interface Engines {
  readonly platform: Platform
  /** False while limits are counted in this process, because Redis is away. */
  readonly isRedisUsed: () => boolean
  readonly close: () => Promise<void>
}

export async function openEngines(settings: FrontDoorSettings, options: EngineOptions): Promise<Engines> {
  const { clock, telemetry } = options
  checkQuotas(settings)
  const parties = partiesOf(settings.REGIONS, settings)
  if (settings.STRICT_CONTRACT) checkRows()
  const database = openDatabase({
    url: settings.DIRECTORY_DATABASE_URL.reveal(),
    ...databaseLimits(settings),
    applicationName: 'sealpost-front-door',
    onBackgroundError: (error) => telemetry.log.warn({ err: error }, 'a database connection broke in the background'),
  })
  const bus = openDirectoryBus(settings, options, { database, parties })
  const redis = await openRedis({
    url: settings.REDIS_URL.reveal(),
    commandTimeoutMs: settings.REDIS_TIMEOUT_MS,
    telemetry,
  })
  const limiter = openLimiter({ redis, clock, telemetry })
  return {
    platform: { ...options, ...tokenServices(settings, options), settings, database, bus, limiter },
    isRedisUsed: () => redis.isReady() && limiter.isShared(),
    async close() {
      await bus.close()
      limiter.close()
      await redis.close()
      await database.close()
    },
  }
}

/** Signs and verifies access tokens, and signs passes, under the keys of the settings. */
export function tokenServices(
  { PUBLIC_URL: issuer, FORWARDER_URL: forwarderUrl, SIGNING_KEYS: signingKeys }: FrontDoorSettings,
  { clock, ids }: EngineOptions,
): Pick<Platform, 'signer' | 'passSigner' | 'verifier'> {
  return {
    signer: createAccessTokenSigner({ issuer, clock, ids, signingKeys }),
    passSigner: createPassSigner({ issuer, clock, ids, signingKeys, forwarderUrl }),
    verifier: createTokenVerifier({ issuer, clock, loadKeys: () => Promise.resolve(signingKeys.publicKeys) }),
  }
}

function openDirectoryBus(
  settings: FrontDoorSettings,
  options: EngineOptions,
  { database, parties }: { readonly database: Database; readonly parties: Parties },
): Bus {
  return openBus({
    ...options,
    self: DIRECTORY,
    parties,
    database,
    roles: { relay: true, inbox: true, responder: true },
    historyHours: settings.BUS_HISTORY_HOURS,
    askTimeoutMs: settings.ASK_TIMEOUT_MS,
  })
}

/** At the start, so that a quota that no bucket can keep is refused before the first request. */
function checkQuotas({
  RATE_TOKEN,
  RATE_DATA,
  RATE_LOGIN_IP,
  RATE_LOGIN_ACCOUNT,
  RATE_RESULT,
}: FrontDoorSettings): void {
  for (const quota of [RATE_TOKEN, RATE_DATA, RATE_LOGIN_IP, RATE_LOGIN_ACCOUNT, RATE_RESULT]) {
    checkBucketSize({ quota, windowSeconds: 60 })
  }
}
