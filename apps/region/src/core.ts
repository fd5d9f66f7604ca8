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
import { endingNeeds, openGrants } from './grants.ts'
import { busSwitches, isPaused, openRegionGuard } from './guard.ts'
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
import { type EndingNeeds, endGrantsInside, endGrantsOfUser } from './modules/grants/index.ts'
import {
  answerLogins,
  checkSecondFactor,
  forgetLogin,
  type LoginNeeds,
  type OpenSessionNeeds,
  setPassword,
} from './modules/login/index.ts'
import type { MailNeeds } from './modules/mail/index.ts'
import { createService, type NewService } from './modules/services/index.ts'
import type { RegionSettings } from './settings.ts'

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
  readonly clients: ClientsNeeds
  readonly mail: MailNeeds
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

type Modules = Pick<RegionCore, 'account' | 'clients' | 'mail' | 'login' | 'grants'>

/** What the modules stand on, and who answers what comes over the bus. */
function openModules(
  region: RegionCode,
  settings: RegionSettings,
  { clock, ids, random, telemetry }: CoreNeeds,
  { database, bus }: Engines,
): Modules {
  const otherRegions = settings.REGIONS.map(({ code }) => code).filter((code) => code !== region)
  const mail = { dataKey: settings.DATA_KEY, clock, ids }
  const grants = endingNeeds({ database, clock, region, bus })
  const account: AccountNeeds = {
    database,
    clock,
    ids,
    region,
    directory: accountDirectory(bus, ids, otherRegions),
    guards: {
      record: (tx, id) => recordAccountChange(tx, id, clock.now()),
      settle: (revision) => awaitGuards(database, revision),
    },
    // What the modules above do when an account changes: each adds itself here.
    hooks: {
      onLevelChanged: [],
      onAccountDeleted: [
        (tx, erased) => forgetLogin({ clock, mail }, tx, erased),
        (tx, erased) => endClientsOfAccount(tx, { clock, ids }, erased.id),
        (tx, erased) => endGrantsOfUser(grants, tx, erased.id),
      ],
    },
  }
  hearOfErasedAccounts(bus)
  const clients = { database, clock, ids, directory: clientsDirectory(bus, ids), log: telemetry.log }
  const login: LoginNeeds = {
    ...account,
    bus,
    random,
    telemetry,
    pepper: settings.SECRET_PEPPER,
    mail,
    endGrants: (tx, userId) => endGrantsInside(grants, tx, userId),
    refreshTtlDays: settings.REFRESH_TTL_DAYS,
    refreshMaxDays: settings.REFRESH_MAX_DAYS,
  }
  const logins = {
    ...login,
    checkSecondFactor: (userId, otp) => checkSecondFactor(login, userId, otp),
  } satisfies OpenSessionNeeds
  answerLogins({ ...logins, regions: settings.REGIONS.map(({ code }) => code) })
  const webAuthn = { rpId: settings.WEBAUTHN_RP_ID, origins: settings.APP_ORIGINS }
  openGrants({ settings, region, database, bus, clock }, logins, { ...login, account, webAuthn })
  return { account, clients, mail, login, grants }
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
