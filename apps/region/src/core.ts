import { type Bus, openBus, parseParty, partiesOf } from '@sealpost/bus'
import { type Egress, egressPolicy, openEgress } from '@sealpost/egress'
import { postgresIdempotency } from '@sealpost/http'
import {
  type ClientId,
  type Clock,
  type Ids,
  type Random,
  type RegionCode,
  type ServiceId,
  SettingsError,
  type UserId,
} from '@sealpost/kernel'
import { type Objects, objectsPlace, openObjects } from '@sealpost/objects'
import { type Database, openDatabase } from '@sealpost/postgres'
import { quietTelemetry, type Telemetry } from '@sealpost/telemetry'
import { objectAttachments } from './attachments.ts'
import {
  type ClientDirectory,
  clientDirectory,
  type IssuedClient,
  registerDataClient,
  revokeClientTokens,
} from './modules/access/index.ts'
import { accountDirectory, createCompany, type NewCompany } from './modules/account/index.ts'
import { createService, type NewService } from './modules/services/index.ts'
import type { RegionSettings } from './settings.ts'

export type RegionIdempotency = ReturnType<typeof postgresIdempotency>

/** What both roles of a region stand on. */
export interface RegionCore {
  readonly region: RegionCode
  readonly settings: RegionSettings
  readonly database: Database
  readonly bus: Bus
  readonly idempotency: RegionIdempotency
  readonly objects: Objects
  readonly egress: Egress
  readonly clientDirectory: ClientDirectory
  readonly clock: Clock
  readonly ids: Ids
  readonly telemetry: Telemetry
  readonly operations: RegionOperations
  close(): Promise<void>
}

/** The operations of the modules, bound to their needs: for routes, jobs and the command line. */
export type RegionOperations = ReturnType<typeof bindOperations>

export interface CoreNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
  /** The parts of the bus that this process runs; asking and telling is always possible. */
  readonly roles: { readonly relay: boolean; readonly inbox: boolean; readonly responder: boolean }
}

export async function openCore(settings: RegionSettings, needs: CoreNeeds): Promise<RegionCore> {
  const region = findOwnRegion(settings)
  const { clock, ids, telemetry } = needs
  const database = openDatabase({
    url: settings.DATABASE_URL.reveal(),
    poolSize: settings.DATABASE_POOL,
    applicationName: `sealpost-region-${region}`,
    onBackgroundError: (error) => telemetry.log.warn({ err: error }, 'a database connection broke in the background'),
  })
  const parties = partiesOf(settings.REGIONS, { user: settings.NATS_USER, password: settings.NATS_PASSWORD })
  const objects = openObjects(objectsPlace(settings))
  const egress = openEgress({ policy: egressPolicy(settings), clock, telemetry })
  const bus = openBus({
    self: parseParty(region),
    attachments: objectAttachments({ objects, egress, random: needs.random }),
    parties,
    database,
    clock,
    ids,
    telemetry,
    roles: needs.roles,
    historyHours: settings.BUS_HISTORY_HOURS,
  })
  const directory = clientDirectory(bus, ids, settings.REGIONS)
  return {
    region,
    settings,
    database,
    bus,
    idempotency: postgresIdempotency(database, clock, ids),
    objects,
    egress,
    clientDirectory: directory,
    clock,
    ids,
    telemetry,
    operations: bindOperations(region, database, bus, directory, clock, ids),
    async close() {
      await bus.close()
      egress.close()
      objects.close()
      await database.close()
    },
  }
}

/** The operations alone, without serving anything: for seeds and the command line. */
export async function openRegionOperations(
  settings: RegionSettings,
  { clock, ids, random }: Pick<CoreNeeds, 'clock' | 'ids' | 'random'>,
): Promise<RegionOperations & { close(): Promise<void> }> {
  const roles = { relay: false, inbox: false, responder: false }
  const core = await openCore(settings, { clock, ids, random, telemetry: quietTelemetry(), roles })
  return { ...core.operations, close: () => core.close() }
}

function bindOperations(
  region: RegionCode,
  database: Database,
  bus: Bus,
  directory: ClientDirectory,
  clock: Clock,
  ids: Ids,
) {
  const account = { database, clock, region, directory: accountDirectory(bus, ids) }
  const access = { database, clock, ids, directory }
  return {
    createCompany: (company: NewCompany) => createCompany(account, company),
    createService: (service: NewService) => createService({ database, clock }, service),
    registerDataClient: (company: UserId, service: ServiceId, chosen?: IssuedClient) =>
      registerDataClient(access, company, service, chosen),
    revokeClientTokens: (company: UserId, client: ClientId) => revokeClientTokens(access, company, client),
  }
}

function findOwnRegion(settings: RegionSettings): RegionCode {
  const own = settings.REGIONS.find(({ code }) => code === settings.REGION)
  if (own === undefined) throw new SettingsError([`REGION: ${settings.REGION} is not among REGIONS`])
  return own.code
}
