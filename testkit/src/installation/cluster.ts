import { type MailSink, startMailSink } from '../mail-sink.ts'
import { type Opened, openWhole, settleAll } from '../opening.ts'
import { type AppProcess, appProcess } from './app-process.ts'
import { openBalancer } from './balancer.ts'
import {
  type AppAddress,
  baseUrl,
  createSigningKeys,
  type InstallationEnvironment,
  installationEnvironment,
  listening,
  PATIENT,
} from './environment.ts'
import { freeAddress, freeAddresses } from './installation.ts'
import { type IsolatedEngines, startIsolatedEngines } from './isolated-engines.ts'
import { seedInstallation } from './seed.ts'

/** An installation with several processes of each app behind one address, as a large site runs it. */
export interface Cluster {
  readonly frontDoorUrl: string
  readonly frontDoors: readonly AppProcess[]
  readonly eu: readonly AppProcess[]
  readonly us: readonly AppProcess[]
  /** Of the processes as they were started; each listens elsewhere. */
  readonly environment: InstallationEnvironment
  readonly isolated: IsolatedEngines
  readonly mail: MailSink
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly frontDoors: number
  /** API processes of each region. */
  readonly apis: { readonly eu: number; readonly us: number }
  readonly settings?: Readonly<Record<string, string>>
  readonly onLine?: (app: string, line: string) => void
  readonly onStep?: (step: string) => void
}

/** Long enough for the balancer to look elsewhere; few connections, because one database server takes a hundred. */
const MANY_PROCESSES = { DRAIN_SECONDS: '1', DATABASE_POOL: '4' }

/** All of it or, when something fails to start, nothing. */
export function startCluster(options: ClusterOptions): Promise<Cluster> {
  return openWhole((opened) => start(options, opened))
}

async function start(options: ClusterOptions, opened: Opened): Promise<Cluster> {
  const step = options.onStep ?? (() => {})
  const isolated = await startIsolatedEngines()
  opened.defer(() => isolated.remove())
  const mail = await startMailSink()
  opened.defer(() => mail.close())
  const addresses = await freeAddresses()
  const settings = { ...PATIENT, ...MANY_PROCESSES, ...options.settings }
  const keys = await createSigningKeys()
  const environment = installationEnvironment(isolated.engines, addresses, keys, mail.url, settings)
  const group = (name: string, app: 'front-door' | 'region', count: number, of: keyof InstallationEnvironment) =>
    startGroup(opened, { name, app, count, address: addresses[of], environment: environment[of], ...onLineOf(options) })
  const [frontDoors, eu, us] = await settleAll([
    group('front door', 'front-door', options.frontDoors, 'frontDoor'),
    group('region eu', 'region', options.apis.eu, 'eu'),
    group('region us', 'region', options.apis.us, 'us'),
  ])
  step(`${frontDoors.length} front doors and ${eu.length + us.length} processes of two regions are ready`)
  await seedInstallation(environment)
  step('the demo companies are in place')
  return {
    frontDoorUrl: baseUrl(addresses.frontDoor),
    frontDoors,
    eu,
    us,
    environment,
    isolated,
    mail,
    stop: () => opened.disposeAsync(),
  }
}

interface Group {
  readonly name: string
  readonly app: 'front-door' | 'region'
  readonly count: number
  /** Where the balancer listens. */
  readonly address: AppAddress
  readonly environment: Readonly<Record<string, string>>
  readonly onLine?: (app: string, line: string) => void
}

async function startGroup(opened: Opened, group: Group): Promise<readonly AppProcess[]> {
  const { app, count, onLine } = group
  const processes: AppProcess[] = []
  for (let number = 1; number <= count; number += 1) {
    const name = `${group.name} ${number}`
    const environment = { ...group.environment, ...listening(await freeAddress()) }
    processes.push(
      appProcess({ name, app, environment, ...(onLine === undefined ? {} : { onLine: (line) => onLine(name, line) }) }),
    )
  }
  // Killed, not ended: requests in flight are not waited for.
  opened.defer(async () => void (await Promise.all(processes.map((one) => one.kill()))))
  await settleAll(processes.map((one) => one.start()))
  const balancer = await openBalancer(group.address.port, processes)
  opened.defer(() => balancer.close())
  return processes
}

function onLineOf({ onLine }: ClusterOptions): Pick<Group, 'onLine'> {
  return onLine === undefined ? {} : { onLine }
}
