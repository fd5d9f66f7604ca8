import { DIRECTORY, parseParty } from '@sealpost/bus'
import { frontDoorMigrations } from '@sealpost/front-door'
import { migrate } from '@sealpost/postgres'
import { regionMigrations } from '@sealpost/region'
import {
  type AppProcess,
  appProcess,
  type BusLogins,
  createBusLogins,
  createSigningKeys,
  createTestDatabase,
  type InstallationEnvironment,
  installationEnvironment,
  type PrivateEngine,
  type PrivatePostgres,
  readEngines,
  reservePort,
  type ScenarioContext,
  startMailSink,
  startPrivateNats,
  startPrivatePostgres,
  startPrivateRedis,
  startPrivateStandby,
  withClient,
  UNLIMITED_RATES,
} from '@sealpost/testkit'

/** One region whose API and workers are separate processes, on engines that the run may kill. */
export interface RoleSite {
  readonly frontDoor: AppProcess
  readonly api: AppProcess
  readonly workers: readonly AppProcess[]
  /** The settings of the API; workers differ in role and ports. */
  readonly environment: InstallationEnvironment
  /** The region's server; the directory is on another one, which is never killed. */
  readonly postgres: PrivatePostgres
  readonly standby: PrivatePostgres | null
  readonly redis: PrivateEngine
  /** With all hosts, as in the settings of the region's processes. */
  readonly databaseUrl: string
}

export interface RoleSiteOptions {
  readonly workers: number
  readonly hasStandby?: boolean
  readonly settings?: Readonly<Record<string, string>>
  /** Settings of each process that differ. */
  readonly ownSettings?: () => Promise<Readonly<Record<string, string>>>
}

const DATABASE = 'eu'
const EU = parseParty('eu')
const SETTINGS = {
  ...UNLIMITED_RATES,
  DATABASE_POOL: '6',
  // Receivers listen on loopback.
  ALLOW_PRIVATE_TARGETS: '1',
}

export async function startRoleSite(context: ScenarioContext, options: RoleSiteOptions): Promise<RoleSite> {
  const engines = await startEngines(context, options)
  const environment = await planEnvironment(context, engines, options)
  const own = async () => (await options.ownSettings?.()) ?? {}
  const frontDoor = appProcess({
    name: 'front door',
    app: 'front-door',
    environment: { ...environment.frontDoor, ...(await own()) },
  })
  const api = appProcess({
    name: 'api',
    app: 'region',
    environment: { ...environment.eu, ...(await own()), REGION_ROLES: 'api' },
  })
  const workers: AppProcess[] = []
  for (let number = 1; number <= options.workers; number += 1) {
    const worker = { ...environment.eu, ...(await freePorts()), ...(await own()), REGION_ROLES: 'worker' }
    workers.push(appProcess({ name: `worker ${number}`, app: 'region', environment: worker }))
  }
  const all = [frontDoor, api, ...workers]
  context.onEnd(async () => void (await Promise.all(all.map((one) => one.kill()))))
  await frontDoor.start()
  await Promise.all([api, ...workers].map((one) => one.start()))
  context.progress(`a front door, an API process and ${workers.length} workers are ready`)
  return { frontDoor, api, workers, environment, ...engines }
}

type SiteEngines = Pick<RoleSite, 'postgres' | 'standby' | 'redis' | 'databaseUrl'> & {
  readonly natsUrl: string
  readonly logins: BusLogins
}

async function startEngines(context: ScenarioContext, { hasStandby }: RoleSiteOptions): Promise<SiteEngines> {
  context.progress('starting PostgreSQL, NATS and Redis')
  const owned = async <T extends PrivateEngine>(starting: Promise<T>): Promise<T> => {
    const engine = await starting
    context.onEnd(() => engine.remove())
    return engine
  }
  const logins = createBusLogins(['eu'])
  const settings = { max_connections: '200', shared_buffers: '128MB' }
  const [postgres, redis, nats] = await Promise.all([
    owned(startPrivatePostgres({ settings })),
    owned(startPrivateRedis()),
    owned(startPrivateNats({ account: logins.server(EU) })),
  ])
  await run(postgres.url, `create database ${DATABASE}`)
  await migrate(urlAt([postgres]), regionMigrations)
  const found = { postgres, redis, natsUrl: nats.url, logins }
  if (hasStandby !== true) return { ...found, standby: null, databaseUrl: urlAt([postgres]) }
  const standby = await owned(startPrivateStandby(postgres, { settings }))
  await postgres.requireStandby()
  context.progress('a synchronous standby is attached')
  return { ...found, standby, databaseUrl: urlAt([postgres, standby]) }
}

/** Both hosts in one URL: the driver connects to the one that accepts writes. */
export function urlAt(servers: readonly PrivatePostgres[]): string {
  return `postgres://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${DATABASE}`
}

async function planEnvironment(
  context: ScenarioContext,
  { databaseUrl, redis, natsUrl, logins }: SiteEngines,
  { settings }: RoleSiteOptions,
): Promise<InstallationEnvironment> {
  const directory = await createTestDatabase({ template: 'directory', migrations: frontDoorMigrations })
  context.onEnd(() => directory.drop())
  const mail = await startMailSink()
  context.onEnd(() => mail.close())
  const here = { natsUrl, redisUrl: redis.url }
  const eu = { s3: readEngines().eu.s3, ...here, natsKeys: logins.setting(EU), postgresUrl: databaseUrl }
  const [frontDoorAt, euAt, unused] = [await freeAddress(), await freeAddress(), { port: 1, internalPort: 1 }]
  const planned = installationEnvironment(
    { directory: { ...here, natsKeys: logins.setting(DIRECTORY), postgresUrl: directory.url }, eu, us: eu },
    { frontDoor: frontDoorAt, eu: euAt, us: unused },
    await createSigningKeys(),
    mail.url,
    { ...SETTINGS, ...settings },
  )
  // The only region of the installation.
  const alone = { REGIONS: planned.eu['REGIONS']?.split(',')[0] ?? '' }
  return { ...planned, frontDoor: { ...planned.frontDoor, ...alone }, eu: { ...planned.eu, ...alone } }
}

async function freeAddress(): Promise<{ readonly port: number; readonly internalPort: number }> {
  const [port, internalPort] = await Promise.all([reservePort(), reservePort()])
  return { port: port.port, internalPort: internalPort.port }
}

async function freePorts(): Promise<Record<string, string>> {
  const { port, internalPort } = await freeAddress()
  return { LISTEN_PORT: String(port), INTERNAL_PORT: String(internalPort) }
}

async function run(url: string, sql: string): Promise<void> {
  await withClient(url, (client) => client.query(sql))
}
