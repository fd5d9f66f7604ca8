import { frontDoorMigrations } from '@sealpost/front-door'
import { migrate } from '@sealpost/postgres'
import { regionMigrations } from '@sealpost/region'
import type { Engines } from '../engines/index.ts'
import { reservePort } from '../engines/ports.ts'
import { type MailSink, type SinkMail, startMailSink } from '../mail-sink.ts'
import { type Opened, openWhole, settleAll } from '../opening.ts'
import { type AppProcess, appProcess } from './app-process.ts'
import {
  type Addresses,
  type AppAddress,
  createSigningKeys,
  type InstallationEnvironment,
  installationEnvironment,
  PATIENT,
} from './environment.ts'
import { startIsolatedEngines } from './isolated-engines.ts'
import { seedInstallation } from './seed.ts'

/** A front door and two regions as real processes, with the demo companies in them. */
export interface Installation {
  readonly frontDoor: AppProcess
  readonly eu: AppProcess
  readonly us: AppProcess
  readonly environment: InstallationEnvironment
  readonly mail: MailSink
  stop(): Promise<void>
}

export interface InstallationOptions {
  /** Isolated engines unless told. */
  readonly engines?: Engines
  readonly addresses?: Addresses
  readonly settings?: Readonly<Record<string, string>>
  /** Changes what the apps are started with: another way to an engine, say. */
  readonly adjust?: (environment: InstallationEnvironment) => Promise<InstallationEnvironment>
  readonly watch?: boolean
  readonly onLine?: (app: string, line: string) => void
  /** Nothing that the apps mail leaves this machine; this sees it. */
  readonly onMail?: (mail: SinkMail) => void
  readonly onStep?: (step: string) => void
}

/** All of it or, when something fails to start, nothing. */
export function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  return openWhole((opened) => start(options, opened))
}

async function start(options: InstallationOptions, opened: Opened): Promise<Installation> {
  const step = options.onStep ?? (() => {})
  const engines = options.engines ?? (await isolatedEngines(opened))
  if (options.engines !== undefined) await migrateAll(engines, step)
  const addresses = options.addresses ?? (await freeAddresses())
  const mail = await startMailSink(options.onMail === undefined ? {} : { onMail: options.onMail })
  opened.defer(() => mail.close())
  const keys = await createSigningKeys()
  const planned = installationEnvironment(engines, addresses, keys, mail.url, { ...PATIENT, ...options.settings })
  const environment = options.adjust === undefined ? planned : await options.adjust(planned)
  const apps = {
    frontDoor: app('front-door', 'front-door', environment.frontDoor, options),
    eu: app('region eu', 'region', environment.eu, options),
    us: app('region us', 'region', environment.us, options),
  }
  const all = Object.values(apps)
  opened.defer(async () => void (await Promise.all(all.map((each) => each.stop()))))
  await settleAll(all.map((each) => each.start()))
  for (const each of all) step(`${each.name} is ready at ${each.url}`)
  await seedInstallation(environment)
  step('the demo companies are in place')
  return {
    ...apps,
    environment,
    mail,
    stop: () => opened.disposeAsync(),
  }
}

async function isolatedEngines(opened: Opened): Promise<Engines> {
  const isolated = await startIsolatedEngines()
  opened.defer(() => isolated.remove())
  return isolated.engines
}

async function migrateAll(engines: Engines, step: (text: string) => void): Promise<void> {
  const applied = await Promise.all([
    migrate(engines.directory.postgresUrl, frontDoorMigrations),
    migrate(engines.eu.postgresUrl, regionMigrations),
    migrate(engines.us.postgresUrl, regionMigrations),
  ])
  step(`databases are migrated (${applied.flat().length} steps applied)`)
}

function app(
  name: string,
  kind: 'front-door' | 'region',
  environment: Readonly<Record<string, string>>,
  { watch, onLine }: InstallationOptions,
): AppProcess {
  return appProcess({
    name,
    app: kind,
    environment,
    ...(watch === undefined ? {} : { watch }),
    ...(onLine === undefined ? {} : { onLine: (line) => onLine(name, line) }),
  })
}

export async function freeAddresses(): Promise<Addresses> {
  const [frontDoor, eu, us] = await Promise.all([freeAddress(), freeAddress(), freeAddress()])
  return { frontDoor, eu, us }
}

export async function freeAddress(): Promise<AppAddress> {
  const [port, internalPort] = await Promise.all([reservePort(), reservePort()])
  return { port: port.port, internalPort: internalPort.port }
}
