import { frontDoorMigrations } from '@sealpost/front-door'
import type { Secret } from '@sealpost/kernel'
import { migrate } from '@sealpost/postgres'
import { regionMigrations } from '@sealpost/region'
import type { Engines, PrivateEngine, SiteEngines } from '../engines/index.ts'
import { reservePort } from '../engines/ports.ts'
import { type MailSink, type SinkMail, startMailSink } from '../mail-sink.ts'
import { type Opened, openWhole, settleAll } from '../opening.ts'
import { type AppProcess, appProcess } from './app-process.ts'
import {
  type Addresses,
  type AppAddress,
  createSigningKeys,
  forwarderEnvironment,
  type InstallationEnvironment,
  installationEnvironment,
  listening,
  PATIENT,
} from './environment.ts'
import { startIsolatedEngines } from './isolated-engines.ts'
import { groupOf } from './process-group.ts'
import { seedInstallation } from './seed.ts'

/** A front door and two regions as real processes, with the demo companies in them. */
export interface Installation {
  readonly frontDoor: AppProcess
  readonly eu: AppProcess
  readonly us: AppProcess
  /** Null unless `addresses` names one. */
  readonly forwarder: AppProcess | null
  readonly environment: InstallationEnvironment
  /** The NATS servers of isolated engines, with the key of a user without limits; empty when engines were given. */
  readonly nats: readonly ObservedNats[]
  readonly mail: MailSink
  stop(): Promise<void>
}

export interface ObservedNats {
  readonly region: 'eu' | 'us'
  readonly url: string
  readonly observer: Secret<string>
  /** The server itself, which a fault run may kill. */
  readonly engine: PrivateEngine
}

export interface InstallationOptions {
  /** Isolated engines unless told. */
  readonly engines?: Engines
  readonly addresses?: Addresses
  /** The login of the forwarder at given engines; isolated ones have their own. */
  readonly forwarderLogin?: ForwarderLogin
  /** Of the forwarder alone. */
  readonly forwarderSettings?: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, string>>
  /** Changes what the apps are started with: another way to an engine, say. */
  readonly adjust?: (environment: InstallationEnvironment) => Promise<InstallationEnvironment>
  /** The checkouts to run each app from; with two, a process of each serves behind one address. This one unless told. */
  readonly roots?: Partial<Record<keyof InstallationEnvironment, readonly string[]>>
  readonly watch?: boolean
  readonly onLine?: (app: string, line: string) => void
  /** Nothing that the apps mail leaves this machine; this sees it. */
  readonly onMail?: (mail: SinkMail) => void
  readonly onStep?: (step: string) => void
}

export type ForwarderLogin = Pick<SiteEngines, 'natsKeys' | 'natsCaFile'>

/** All of it or, when something fails to start, nothing. */
export function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  return openWhole((opened) => start(options, opened))
}

async function start(options: InstallationOptions, opened: Opened): Promise<Installation> {
  const step = options.onStep ?? (() => {})
  const { engines, nats, forwarderLogin } = await enginesOf(options, opened)
  if (options.engines !== undefined) await migrateAll(engines, step)
  const addresses = options.addresses ?? (await freeAddresses())
  const mail = await startMailSink(options.onMail === undefined ? {} : { onMail: options.onMail })
  opened.defer(() => mail.close())
  const keys = await createSigningKeys()
  const settings = { ...PATIENT, ...options.settings }
  const planned = installationEnvironment(engines, addresses, keys, mail.url, settings)
  const environment = options.adjust === undefined ? planned : await options.adjust(planned)
  const apps = {
    frontDoor: await app('front-door', 'front-door', environment.frontDoor, options, options.roots?.frontDoor),
    eu: await app('region eu', 'region', environment.eu, options, options.roots?.eu),
    us: await app('region us', 'region', environment.us, options, options.roots?.us),
  }
  const forwarder =
    addresses.forwarder === undefined
      ? null
      : await app(
          'forwarder',
          'forwarder',
          forwarderEnvironment(environment, addresses.forwarder, forwarderLogin, {
            ...settings,
            ...options.forwarderSettings,
          }),
          options,
        )
  const all = [...Object.values(apps), ...(forwarder === null ? [] : [forwarder])]
  opened.defer(async () => void (await Promise.all(all.map((each) => each.stop()))))
  await settleAll(all.map((each) => each.start()))
  for (const each of all) step(`${each.name} is ready at ${each.url}`)
  await seedInstallation(environment)
  step('the demo companies are in place')
  return {
    ...apps,
    forwarder,
    environment,
    nats,
    mail,
    stop: () => opened.disposeAsync(),
  }
}

async function enginesOf(
  options: InstallationOptions,
  opened: Opened,
): Promise<{
  readonly engines: Engines
  readonly nats: readonly ObservedNats[]
  readonly forwarderLogin: ForwarderLogin
}> {
  if (options.engines !== undefined)
    return { engines: options.engines, nats: [], forwarderLogin: options.forwarderLogin ?? {} }
  const isolated = await startIsolatedEngines()
  opened.defer(() => isolated.remove())
  const { engines, nats, natsObservers, forwarderKeys } = isolated
  const observed = (['eu', 'us'] as const).map((region) => ({
    region,
    url: nats[region].url,
    observer: natsObservers[region],
    engine: nats[region],
  }))
  return { engines, nats: observed, forwarderLogin: { natsKeys: forwarderKeys } }
}

async function migrateAll(engines: Engines, step: (text: string) => void): Promise<void> {
  const applied = await Promise.all([
    migrate(engines.directory.postgresUrl, frontDoorMigrations),
    migrate(engines.eu.postgresUrl, regionMigrations),
    migrate(engines.us.postgresUrl, regionMigrations),
  ])
  step(`databases are migrated (${applied.flat().length} steps applied)`)
}

async function app(
  name: string,
  kind: 'front-door' | 'region' | 'forwarder',
  environment: Readonly<Record<string, string>>,
  { watch, onLine }: InstallationOptions,
  roots: readonly string[] = [],
): Promise<AppProcess> {
  const open = (own: string, variables: Readonly<Record<string, string>>, root?: string): AppProcess =>
    appProcess({
      name: own,
      app: kind,
      environment: variables,
      ...(root === undefined ? {} : { root }),
      ...(watch === undefined ? {} : { watch }),
      ...(onLine === undefined ? {} : { onLine: (line) => onLine(own, line) }),
    })
  const [only, second] = roots
  if (only === undefined || second === undefined) return open(name, environment, only)
  const members = await Promise.all(
    roots.map(async (root, index) =>
      open(`${name} (${index + 1})`, { ...environment, ...listening(await freeAddress()) }, root),
    ),
  )
  return groupOf(name, Number(environment['LISTEN_PORT']), members)
}

export async function freeAddresses(): Promise<Addresses> {
  const [frontDoor, eu, us] = await Promise.all([freeAddress(), freeAddress(), freeAddress()])
  return { frontDoor, eu, us }
}

export async function freeAddress(): Promise<AppAddress> {
  const [port, internalPort] = await Promise.all([reservePort(), reservePort()])
  return { port: port.port, internalPort: internalPort.port }
}
