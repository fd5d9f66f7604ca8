import { openBus, parseParty, partiesOf } from '@sealpost/bus'
import { customerPolicy, egressPolicy, openEgress } from '@sealpost/egress'
import { openJobs } from '@sealpost/jobs'
import { type Clock, type Ids, type Random, type RegionCode, SettingsError } from '@sealpost/kernel'
import { objectsPatience, objectsPlace, openObjects } from '@sealpost/objects'
import {
  checkRows,
  type Database,
  databaseLimits,
  listen,
  type MigrationSet,
  openDatabase,
  requireSteps,
} from '@sealpost/postgres'
import type { Log, Telemetry } from '@sealpost/telemetry'
import { type Guard, openGuard } from '../modules/access/index.ts'
import type { RegionSettings } from '../settings.ts'
import { objectAttachments } from './attachments.ts'
import { openDownloads } from './downloads.ts'
import type { Platform } from './module.ts'
import { publicUrls } from './public-urls.ts'

export interface EngineOptions {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
  /** The parts of the bus that this process runs; every process can ask and tell. */
  readonly roles: { readonly relay: boolean; readonly inbox: boolean; readonly responder: boolean }
}

export interface Engines {
  readonly platform: Platform
  /** Null where nothing is served: on the command line. */
  readonly guard: Guard | null
  /** Rejects while the database lacks a step of this release. */
  readonly checkSchema: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Servers close idle connections after 2 seconds or more, most without notice. A delivery that meets such a close has
 * failed and is not repeated in place, so connections to webhooks are closed before that.
 */
const WEBHOOK_IDLE = { keepMs: 1_000 }

const monotonicMs = (): number => performance.now()

export async function openEngines(
  settings: RegionSettings,
  options: EngineOptions,
  migrations: MigrationSet,
): Promise<Engines> {
  const { clock, ids, random, telemetry, roles } = options
  const { log } = telemetry
  const region = findOwnRegion(settings)
  const parties = partiesOf(settings.REGIONS, settings)
  if (settings.STRICT_CONTRACT) checkRows()
  const { database, checkSchema } = await openRegionDatabase(settings, region, log, migrations)
  const sockets = { sockets: settings.S3_SOCKETS, waitMs: settings.S3_WAIT_MS }
  const objects = openObjects(objectsPlace(settings), objectsPatience(settings), sockets)
  const egress = openEgress({ policy: egressPolicy(settings), clock, telemetry })
  const webhookPolicy = customerPolicy(settings, publicUrls(settings))
  const webhookEgress = openEgress({ policy: webhookPolicy, clock, telemetry, idle: WEBHOOK_IDLE })
  const onNotify = notifications(settings, telemetry)
  const ports = { clock, ids, random, telemetry, log }
  const base = {
    region,
    settings,
    database,
    objects,
    downloads: openDownloads(settings.DOWNLOADS_CALLER),
    egress,
    webhookEgress,
    ...ports,
    onNotify,
  }
  const isServing = Object.values(roles).includes(true)
  const guard = isServing ? await openGuard({ ...base, database: database.reserved, monotonicMs }) : null
  const paused = (): Promise<boolean> => isPaused(guard)
  const bus = openBus({
    self: parseParty(region),
    attachments: objectAttachments(base),
    parties,
    database,
    clock,
    ids,
    telemetry,
    roles,
    historyHours: settings.BUS_HISTORY_HOURS,
    askTimeoutMs: settings.ASK_TIMEOUT_MS,
    // On the command line there is no guard: the bus serves nothing and needs no switches.
    switches: guard === null ? {} : { isOutOfOrder: async () => (await guard.switches()).outOfOrder, isPaused: paused },
  })
  const jobs = openJobs({ database, clock, ids, telemetry, isPaused: paused })
  return {
    platform: { ...base, bus, jobs, monotonicMs, isPaused: paused, access: guard },
    guard,
    checkSchema,
    async close() {
      await guard?.close()
      egress.close()
      webhookEgress.close()
      objects.close()
      await database.close()
    },
  }
}

/** Refuses a database that lacks a step of this release. */
async function openRegionDatabase(
  settings: RegionSettings,
  region: RegionCode,
  log: Log,
  migrations: MigrationSet,
): Promise<{ readonly database: Database; readonly checkSchema: () => Promise<void> }> {
  const database = openDatabase({
    url: settings.DATABASE_URL.reveal(),
    ...databaseLimits(settings),
    reserve: settings.DATABASE_RESERVE,
    applicationName: `sealpost-region-${region}`,
    onBackgroundError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  const checkSchema = (): Promise<void> => requireSteps(database.reserved, migrations, 'region')
  await checkSchema().catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  return { database, checkSchema }
}

function notifications(settings: RegionSettings, { log }: Telemetry): Platform['onNotify'] {
  return (channel, wake) =>
    listen({
      url: settings.DATABASE_URL.reveal(),
      connectTimeoutMs: settings.DATABASE_WAIT_MS,
      channels: [channel],
      onNotification: (_channel, payload) => wake(payload),
      onReconnect: () => wake(null),
      onError: (error) => log.warn({ err: error, channel }, 'the listener for a channel lost its connection'),
    })
}

/** True if the database is unreachable: the switch is unknown, and nothing could be written. */
async function isPaused(guard: Guard | null): Promise<boolean> {
  if (guard === null) return false
  try {
    return (await guard.switches()).writesPaused
  } catch {
    return true
  }
}

function findOwnRegion(settings: RegionSettings): RegionCode {
  const own = settings.REGIONS.find(({ code }) => code === settings.REGION)
  if (own === undefined) throw new SettingsError([`REGION: ${settings.REGION} is not among REGIONS`])
  return own.code
}
