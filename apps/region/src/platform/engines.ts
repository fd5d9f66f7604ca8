import { openBus, parseParty, partiesOf } from '@sealpost/bus'
import { customerPolicy, egressPolicy, openEgress } from '@sealpost/egress'
import { openJobs } from '@sealpost/jobs'
import { type Clock, type Ids, type Random, type RegionCode, SettingsError } from '@sealpost/kernel'
import { objectsPlace, openObjects } from '@sealpost/objects'
import { checkRows, databaseLimits, listen, openDatabase } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import { type Guard, openGuard } from '../modules/access/index.ts'
import type { RegionSettings } from '../settings.ts'
import { objectAttachments } from './attachments.ts'
import type { Platform } from './module.ts'

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
  readonly close: () => Promise<void>
}

/**
 * Servers close idle connections after 2 seconds or more, most without notice. A delivery that meets such a close has
 * failed and is not repeated in place, so connections to webhooks are closed before that.
 */
const WEBHOOK_IDLE = { keepMs: 1_000 }

const monotonicMs = (): number => performance.now()

export async function openEngines(settings: RegionSettings, options: EngineOptions): Promise<Engines> {
  const { clock, ids, random, telemetry, roles } = options
  const { log } = telemetry
  const region = findOwnRegion(settings)
  if (settings.STRICT_CONTRACT) checkRows()
  const database = openDatabase({
    url: settings.DATABASE_URL.reveal(),
    ...databaseLimits(settings),
    applicationName: `sealpost-region-${region}`,
    onBackgroundError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  const objects = openObjects(objectsPlace(settings))
  const egress = openEgress({ policy: egressPolicy(settings), clock, telemetry })
  const webhookEgress = openEgress({ policy: customerPolicy(settings), clock, telemetry, idle: WEBHOOK_IDLE })
  const onNotify = notifications(settings, telemetry)
  const base = {
    region,
    settings,
    database,
    objects,
    egress,
    webhookEgress,
    clock,
    ids,
    random,
    telemetry,
    log,
    onNotify,
  }
  const isServing = Object.values(roles).includes(true)
  const guard = isServing ? await openGuard({ ...base, monotonicMs }) : null
  const paused = (): Promise<boolean> => isPaused(guard)
  const bus = openBus({
    self: parseParty(region),
    attachments: objectAttachments(base),
    parties: partiesOf(settings.REGIONS, { user: settings.NATS_USER, password: settings.NATS_PASSWORD }),
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
    platform: { ...base, bus, jobs, monotonicMs, isPaused: paused },
    guard,
    async close() {
      await guard?.close()
      egress.close()
      webhookEgress.close()
      objects.close()
      await database.close()
    },
  }
}

function notifications(settings: RegionSettings, { log }: Telemetry): Platform['onNotify'] {
  return (channel, wake) =>
    listen({
      url: settings.DATABASE_URL.reveal(),
      connectTimeoutMs: settings.DATABASE_WAIT_MS,
      channels: [channel],
      onNotification: wake,
      onReconnect: wake,
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
