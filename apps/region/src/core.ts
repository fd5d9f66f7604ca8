import { type Bus, openBus, parseParty, partiesOf } from '@sealpost/bus'
import { type Egress, egressPolicy, openEgress } from '@sealpost/egress'
import { postgresIdempotency } from '@sealpost/http'
import {
  type ClientId,
  type Clock,
  type Ids,
  type Random,
  type RegionCode,
  type Secret,
  type ServiceId,
  SettingsError,
  type UserId,
} from '@sealpost/kernel'
import { type Objects, objectsPlace, openObjects } from '@sealpost/objects'
import { type Database, openDatabase } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import { quietTelemetry, type Telemetry } from '@sealpost/telemetry'
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
  revokeClientTokens,
} from './modules/access/index.ts'
import {
  accountDirectory,
  type AccountNeeds,
  createAccount,
  eraseAccount,
  hearOfErasedAccounts,
  type NewAccount,
  setLevel,
} from './modules/account/index.ts'
import {
  clientsDirectory,
  type ClientsNeeds,
  endClientsOfAccount,
  type IssuedClient,
  putDataClient,
} from './modules/clients/index.ts'
import {
  connectionHooks,
  connectionResolvers,
  type Connections,
  forgetCustomer,
  openConnections,
  tellRenamed,
  vaultHooks,
} from './modules/connections/index.ts'
import { dropFeed, type FeedNeeds, openFeed } from './modules/feed/index.ts'
import { type EndingNeeds, endGrantsOfUser } from './modules/grants/index.ts'
import { forgetLogin, type LoginNeeds, setPassword } from './modules/login/index.ts'
import type { MailNeeds } from './modules/mail/index.ts'
import { forgetContactFields, type RegistryNeeds } from './modules/registry/index.ts'
import {
  answerCards,
  cardValueChanged,
  companyRenamed,
  createService,
  endServicesOfAccount,
  type NewService,
  type ServicesNeeds,
} from './modules/services/index.ts'
import { forgetPhotos, forgetValues, type PhotoNeeds, registryHooks, type VaultNeeds } from './modules/vault/index.ts'
import { photoNeeds } from './photos.ts'
import { openServices } from './services.ts'
import type { RegionSettings } from './settings.ts'
import { vaultNeeds } from './vault.ts'

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
  readonly clientDirectory: ClientDirectory
  readonly account: AccountNeeds
  readonly services: ServicesNeeds
  readonly clients: ClientsNeeds
  readonly connections: Connections
  readonly feed: FeedNeeds
  readonly mail: MailNeeds
  readonly vault: VaultNeeds
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
      objects.close()
      await database.close()
    },
  }
}

type Engines = Pick<RegionCore, 'database' | 'bus' | 'guard' | 'objects' | 'egress'>

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
  const isServing = Object.values(needs.roles).includes(true)
  const guard = isServing ? await openRegionGuard({ settings, database, clock, ids, telemetry }) : null
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
    switches: busSwitches(guard),
  })
  return { database, bus, guard, objects, egress }
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
  | 'photos'
  | 'registry'
>

/** What the modules stand on, and who answers what comes over the bus. */
function openModules(
  region: RegionCode,
  settings: RegionSettings,
  { clock, ids, random, telemetry }: CoreNeeds,
  { database, bus, objects, egress }: Engines,
): Modules {
  const otherRegions = settings.REGIONS.map(({ code }) => code).filter((code) => code !== region)
  const mail = { dataKey: settings.DATA_KEY, clock, ids }
  const grants = endingNeeds({ database, clock, region, bus })
  const directory = accountDirectory(bus, ids, otherRegions)
  const connections = openConnections(
    connectionsNeeds({ settings, region, database, bus, objects, egress, clock, ids, random, telemetry, directory }),
  )
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
    // What the modules above do when an account changes: each adds itself here.
    hooks: {
      onLevelChanged: [],
      onProfileChanged: [
        (tx, renamed) => companyRenamed(services, tx, renamed.id),
        (tx, renamed) => tellRenamed(connections.customer, tx, renamed),
      ],
      onAccountDeleted: [
        (tx, erased) => forgetLogin({ clock, mail }, tx, erased),
        (tx, erased) => endClientsOfAccount(tx, { clock, ids }, erased.id),
        (tx, erased) => endServicesOfAccount(services, tx, erased.id),
        (tx, erased) => endGrantsOfUser(grants, tx, erased.id),
        (tx, erased) => forgetCustomer(connections.customer, tx, erased),
        (tx, erased) => forgetValues(vault, tx, erased),
        (tx, { id }) => forgetPhotos(tx, { accountId: id, at: clock.now() }),
        (tx, { id }) => forgetContactFields(tx, id),
        (tx, erased) => dropFeed(tx, { clock }, { kind: 'account', accountId: erased.id }),
      ],
    },
  }
  hearOfErasedAccounts(bus)
  const services = openServices({ region, database, bus, clock, ids, telemetry }, connectionHooks(connections))
  answerCards({ database, bus, objects })
  const feed = openFeed({ database, clock, ids, log: telemetry.log, resolvers: connectionResolvers })
  const clients = { database, clock, ids, directory: clientsDirectory(bus, ids), log: telemetry.log }
  const login = openLogins({ settings, account, bus, random, telemetry, mail, grants })
  const registry = { database, clock, ids, hooks: registryHooks(vault) }
  const photos = photoNeeds(vault, services)
  return { account, connections, services, clients, feed, mail, login, grants, vault, photos, registry }
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
  { account, clients, login }: Pick<RegionCore, 'account' | 'clients' | 'login'>,
  directory: ClientDirectory,
) {
  const { database, clock } = account
  const access = { database, clock, directory }
  return {
    setLevel: (company: UserId, level: Level) => setLevel(account, company, level),
    eraseAccount: (userId: UserId) => eraseAccount(account, userId),
    createAccount: (fresh: NewAccount, shareCode?: string) => createAccount(account, fresh, shareCode),
    setPassword: (userId: UserId, verifier: Secret<string>) => setPassword(login, userId, verifier),
    createService: (service: NewService) => createService({ database, clock }, service),
    registerDataClient: (companyId: UserId, id: ServiceId, chosen: IssuedClient) =>
      putDataClient(clients, { companyId, id }, chosen),
    revokeClientTokens: (company: UserId, client: ClientId) => revokeClientTokens(access, company, client),
  }
}

function findOwnRegion(settings: RegionSettings): RegionCode {
  const own = settings.REGIONS.find(({ code }) => code === settings.REGION)
  if (own === undefined) throw new SettingsError([`REGION: ${settings.REGION} is not among REGIONS`])
  return own.code
}
