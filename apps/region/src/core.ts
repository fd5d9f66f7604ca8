import { type Bus, openBus, parseParty, partiesOf } from '@sealpost/bus'
import { customerPolicy, type Egress, egressPolicy, openEgress } from '@sealpost/egress'
import { postgresIdempotency } from '@sealpost/http'
import { type Clock, type Ids, type Random, type RegionCode, SettingsError } from '@sealpost/kernel'
import { type Objects, objectsPlace, openObjects } from '@sealpost/objects'
import { type Database, openDatabase } from '@sealpost/postgres'
import { quietTelemetry, type Telemetry } from '@sealpost/telemetry'
import { accountHooks } from './account-hooks.ts'
import { objectAttachments } from './attachments.ts'
import { connectionsNeeds } from './connections.ts'
import { endingNeeds } from './grants.ts'
import { busSwitches, isPaused, openRegionGuard } from './guard.ts'
import { openLogins } from './logins.ts'
import {
  awaitGuards,
  type ClientDirectory,
  clientDirectory,
  type Guard,
  recordAccountChange,
} from './modules/access/index.ts'
import { accountDirectory, type AccountNeeds, hearOfErasedAccounts } from './modules/account/index.ts'
import { clientsDirectory, type ClientsNeeds } from './modules/clients/index.ts'
import {
  connectionHooks,
  connectionResolvers,
  type Connections,
  openConnections,
  vaultHooks,
} from './modules/connections/index.ts'
import { type FeedNeeds, openFeed } from './modules/feed/index.ts'
import type { EndingNeeds } from './modules/grants/index.ts'
import type { LoginNeeds } from './modules/login/index.ts'
import type { MailNeeds } from './modules/mail/index.ts'
import type { RegistryNeeds } from './modules/registry/index.ts'
import { answerCards, cardValueChanged, type ServicesNeeds } from './modules/services/index.ts'
import { type PhotoNeeds, registryHooks, type VaultNeeds } from './modules/vault/index.ts'
import type { WebhooksNeeds } from './modules/webhooks/index.ts'
import { bindOperations, type RegionOperations } from './operations.ts'
import { photoNeeds } from './photos.ts'
import { openServices } from './services.ts'
import type { RegionSettings } from './settings.ts'
import { vaultNeeds } from './vault.ts'
import { openWebhooks, withWebhooks } from './webhooks.ts'

export type RegionIdempotency = ReturnType<typeof postgresIdempotency>

/** What both roles of a region stand on. */
export interface RegionCore {
  readonly region: RegionCode
  readonly settings: RegionSettings
  readonly database: Database
  readonly bus: Bus
  /** Null where nothing is served: on the command line. */
  readonly guard: Guard | null
  /** Whether an operator paused writes: no job starts then. */
  readonly isPaused: () => Promise<boolean>
  readonly idempotency: RegionIdempotency
  readonly objects: Objects
  readonly egress: Egress
  /** To where customers say. */
  readonly hookEgress: Egress
  readonly clientDirectory: ClientDirectory
  readonly account: AccountNeeds
  readonly services: ServicesNeeds
  readonly clients: ClientsNeeds
  readonly connections: Connections
  readonly feed: FeedNeeds
  readonly mail: MailNeeds
  readonly vault: VaultNeeds
  readonly webhooks: WebhooksNeeds
  readonly photos: PhotoNeeds
  readonly registry: RegistryNeeds
  readonly login: LoginNeeds
  readonly grants: EndingNeeds
  readonly clock: Clock
  readonly ids: Ids
  readonly telemetry: Telemetry
  readonly operations: RegionOperations
  close(): Promise<void>
}

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
  const engines = await openEngines(region, settings, needs)
  const { database, bus, guard, objects, egress } = engines
  const directory = clientDirectory(bus, ids, settings.REGIONS)
  const modules = openModules(region, settings, needs, engines)
  return {
    region,
    settings,
    ...engines,
    isPaused: () => isPaused(guard),
    idempotency: postgresIdempotency(database, clock, ids),
    clientDirectory: directory,
    ...modules,
    clock,
    ids,
    telemetry,
    operations: bindOperations(modules, directory),
    async close() {
      await bus.close()
      await guard?.close()
      await modules.feed.settled()
      egress.close()
      engines.hookEgress.close()
      objects.close()
      await database.close()
    },
  }
}

/**
 * Servers close idle connections after 2 seconds and more, mostly without a word before. A delivery that meets such a close
 * on its way has failed, and is not repeated in place.
 */
const HOOK_IDLE = { keepMs: 1_000 }

type Engines = Pick<RegionCore, 'database' | 'bus' | 'guard' | 'objects' | 'egress' | 'hookEgress'>

async function openEngines(region: RegionCode, settings: RegionSettings, needs: CoreNeeds): Promise<Engines> {
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
  const hookEgress = openEgress({ policy: customerPolicy(settings), clock, telemetry, idle: HOOK_IDLE })
  const isServing = Object.values(needs.roles).includes(true)
  const guard = isServing ? await openRegionGuard({ settings, database, clock, ids, telemetry }) : null
  const bus = openBus({
    self: parseParty(region),
    attachments: objectAttachments({ objects, egress, random: needs.random, database, clock }),
    parties,
    database,
    clock,
    ids,
    telemetry,
    roles: needs.roles,
    historyHours: settings.BUS_HISTORY_HOURS,
    switches: busSwitches(guard),
  })
  return { database, bus, guard, objects, egress, hookEgress }
}

type Modules = Pick<
  RegionCore,
  | 'account'
  | 'connections'
  | 'services'
  | 'clients'
  | 'feed'
  | 'mail'
  | 'login'
  | 'grants'
  | 'vault'
  | 'webhooks'
  | 'photos'
  | 'registry'
>

/** What the modules stand on, and who answers what comes over the bus. */
function openModules(
  region: RegionCode,
  settings: RegionSettings,
  { clock, ids, random, telemetry }: CoreNeeds,
  { database, bus, objects, egress, hookEgress }: Engines,
): Modules {
  const otherRegions = settings.REGIONS.map(({ code }) => code).filter((code) => code !== region)
  const mail = { dataKey: settings.DATA_KEY, clock, ids }
  const grants = endingNeeds({ database, clock, region, bus })
  const directory = accountDirectory(bus, ids, otherRegions)
  const connections = openConnections(
    connectionsNeeds({ settings, region, database, bus, objects, egress, clock, ids, random, telemetry, directory }),
  )
  const serviceHooks = withWebhooks(connectionHooks(connections))
  const services = openServices({ region, database, bus, clock, ids, telemetry }, serviceHooks)
  const vault = vaultNeeds(
    { settings, database, objects, clock, ids, random, mail },
    {
      ...vaultHooks(connections.customer),
      onPlainValueChanged: (tx, change) => cardValueChanged(services, tx, change),
    },
  )
  const account: AccountNeeds = {
    database,
    clock,
    ids,
    region,
    directory,
    guards: {
      record: (tx, id) => recordAccountChange(tx, id, clock.now()),
      settle: (revision) => awaitGuards(database, revision),
    },
    hooks: accountHooks({ clock, ids, mail, grants, vault, connections, services }),
  }
  hearOfErasedAccounts(bus)
  answerCards({ database, bus, objects })
  const feed = openFeed({ database, clock, ids, log: telemetry.log, resolvers: connectionResolvers })
  const clients = { database, clock, ids, directory: clientsDirectory(bus, ids), log: telemetry.log }
  const login = openLogins({ settings, account, bus, random, telemetry, mail, grants })
  const registry = { database, clock, ids, hooks: registryHooks(vault) }
  const photos = photoNeeds(vault, services)
  const webhooks = openWebhooks({ settings, database, egress: hookEgress, clock, ids })
  return { account, connections, services, clients, feed, mail, login, grants, vault, photos, registry, webhooks }
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

function findOwnRegion(settings: RegionSettings): RegionCode {
  const own = settings.REGIONS.find(({ code }) => code === settings.REGION)
  if (own === undefined) throw new SettingsError([`REGION: ${settings.REGION} is not among REGIONS`])
  return own.code
}
