import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@sealpost/postgres'
import {
  type AppProcess,
  atLeastOne,
  type Figures,
  inspectable,
  median,
  openInspector,
  type Scenario,
  type ScenarioContext,
  zero,
} from '@sealpost/testkit'
import { requireOk } from '../calls.ts'
import { NEIGHBOURS_PROGRAM } from '../fairness/plan.ts'
import { openNeighbour } from '../fairness/tenants.ts'
import { startProgram } from '../load-program.ts'
import { sendAtRate } from '../roles/load.ts'
import { openLogin } from '../roles/login.ts'
import { openServices, type SiteService } from '../roles/services.ts'
import { openSink } from '../roles/sink.ts'
import { startRoleSite } from '../roles/site.ts'
import { increaseOf, isGrowing, lowest, type Tolerance } from './growth.ts'
import { type Sample, takeSample, type WatchedProcess } from './sample.ts'

interface Size {
  readonly seconds: number
  readonly sampleSeconds: number
  /** Samples of which the smallest heap counts. */
  readonly heapWindow: number
  readonly callsPerSecond: number
  readonly eventsPerSecond: number
}

const SERVICES = 4
const LOGIN_EVERY_MS = 2000
const DRAIN_MS = 1000
/** The share of a run in which caches fill and code is compiled. */
const WARM_UP = 1 / 3
const MB = 1_048_576
const TOLERANCES = {
  heap: { share: 0.1, units: 5 * MB },
  descriptors: { share: 0.1, units: 5 },
  queues: { share: 0.5, units: 10 },
  rows: { share: 0.1, units: 100 },
} as const satisfies Record<keyof Sample, Tolerance>

/** Tables that keep what they get for a time of their own, days or more: they grow with the load until that is over. */
const KEPT: readonly string[] = ['feed.', 'bus.outbox', 'audit.', 'login.session', 'webhooks.']

/** Steady calls, logins, events, webhooks and feed reads; afterwards memory, descriptors, queues and tables are as before. */
export const soakScenario: Scenario<Size> = {
  name: 'soak',
  about: 'a steady load for half an hour: heap, descriptors, queues and tables do not grow',
  sizes: {
    small: { seconds: 60, sampleSeconds: 2, heapWindow: 3, callsPerSecond: 5, eventsPerSecond: 10 },
    full: { seconds: 1800, sampleSeconds: 10, heapWindow: 6, callsPerSecond: 5, eventsPerSecond: 20 },
  },
  bars: [
    ...zero('failed', 'logins_refused', 'growing_heaps', 'growing_descriptors', 'growing_queues', 'growing_tables'),
    ...atLeastOne('calls', 'logins', 'arrived', 'drained'),
  ],
  run: runSoak,
}

async function runSoak(context: ScenarioContext, size: Size): Promise<Figures> {
  const site = await startRoleSite(context, { workers: 1, ownSettings: inspectable })
  const watched = await watch(context, [site.frontDoor, site.api, ...site.workers])
  const services = await openServices(site, SERVICES, 1)
  const database = openDatabase({
    url: site.databaseUrl,
    poolSize: 6,
    connectTimeoutMs: 60_000,
    applicationName: 'chaos-soak',
  })
  context.onEnd(() => database.close())
  const tenants = await Promise.all(services.map((service) => openNeighbour(database, service)))
  const sink = await openSink(() => false)
  context.onEnd(() => sink.close())
  for (const service of services) await addWebhook(service, sink.url(service.number))
  const load = startProgram(NEIGHBOURS_PROGRAM, {
    bareUrl: null,
    frontDoorUrl: site.frontDoor.url,
    apiUrl: site.api.url,
    tenants,
    perSecond: size.callsPerSecond,
    callsPerTenant: size.callsPerSecond * size.seconds,
    login: { ...(await openLogin(site)), everyMs: LOGIN_EVERY_MS },
  })
  context.onEnd(() => load.end())
  const owners = services.map(({ number, companyId, serviceId }) => {
    return { number, companyId, serviceId, slot: null, personIds: [companyId] }
  })
  const running = { isOver: false }
  const [report, sent, drains, samples, arrived] = await Promise.all([
    load.report,
    sendAtRate(database, owners, { perSecond: size.eventsPerSecond, seconds: size.seconds }).finally(() => {
      running.isOver = true
    }),
    drainFeeds(context, services, running),
    takeSamples(context, size, () => takeSample(watched, database), running),
    countArrivals(sink, running),
  ])
  const growth = judge(samples.slice(Math.floor(samples.length * WARM_UP)), size)
  for (const line of growth.lines) context.progress(line)
  return {
    minutes: Math.round(size.seconds / 60),
    samples: samples.length,
    calls: Object.values(report.latencies).flat().length,
    failed: Object.values(report.failures).reduce((sum, times) => sum + times, drains.failed),
    logins: report.logins,
    logins_refused: report.loginsRefused,
    published: sent.length,
    arrived,
    drained: drains.drained,
    ...growth.figures,
  }
}

async function watch(context: ScenarioContext, processes: readonly AppProcess[]): Promise<readonly WatchedProcess[]> {
  return Promise.all(
    processes.map(async (process_) => {
      const inspector = await openInspector(process_)
      context.onEnd(async () => inspector.close())
      return { process: process_, inspector }
    }),
  )
}

async function addWebhook({ portal, serviceId }: SiteService, url: string): Promise<void> {
  const body = { url, events: [], enabled: true, auth_type: 'hmac' }
  await requireOk(portal('POST', `/api/services/${serviceId}/webhooks`, { body }))
}

interface Running {
  readonly isOver: boolean
}

interface Drains {
  readonly drained: number
  readonly failed: number
}

async function drainFeeds(
  context: ScenarioContext,
  services: readonly SiteService[],
  running: Running,
): Promise<Drains> {
  let [drained, failed] = [0, 0]
  while (!running.isOver) {
    for (const { data } of services) {
      const { changes } = await requireOk(data('GET', '/api/company-data/changes')).catch((error: unknown) => {
        context.progress(`a feed could not be read: ${String(error)}`)
        failed += 1
        return { changes: [] }
      })
      drained += Array.isArray(changes) ? changes.length : 0
    }
    await pause(DRAIN_MS)
  }
  return { drained, failed }
}

async function countArrivals(sink: Awaited<ReturnType<typeof openSink>>, running: Running): Promise<number> {
  let arrived = 0
  while (!running.isOver) {
    await pause(DRAIN_MS)
    arrived += sink.takeArrivals().length
  }
  return arrived
}

async function takeSamples(
  context: ScenarioContext,
  { sampleSeconds, heapWindow }: Size,
  take: () => Promise<Sample>,
  running: Running,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  while (!running.isOver) {
    const sample = await take()
    samples.push(sample)
    if (samples.length % heapWindow === 1) context.progress(describe(sample))
    await pause(sampleSeconds * 1000)
  }
  return samples
}

function judge(
  samples: readonly Sample[],
  { heapWindow }: Size,
): { readonly figures: Figures; readonly lines: readonly string[] } {
  const lines: string[] = []
  const growing = (kind: keyof Sample): number => {
    const names = Object.keys(samples.at(-1)?.[kind] ?? {})
    const found = names.filter((name) => {
      const values = samples.map((sample) => sample[kind][name] ?? 0)
      const series = kind === 'heap' ? lowest(values, heapWindow) : values
      const isUp = isGrowing(series, TOLERANCES[kind])
      const isExpected = kind === 'rows' && isKept(name)
      if (isUp) lines.push(lineOf(kind, name, series, isExpected))
      return isUp && !isExpected
    })
    return found.length
  }
  const figures = {
    growing_heaps: growing('heap'),
    growing_descriptors: growing('descriptors'),
    growing_queues: growing('queues'),
    growing_tables: growing('rows'),
  }
  return { figures, lines }
}

function isKept(table: string): boolean {
  return KEPT.some((prefix) => table.startsWith(prefix))
}

function lineOf(kind: keyof Sample, name: string, series: readonly number[], isExpected: boolean): string {
  const rise = `${Math.round(increaseOf(series))} over a median of ${Math.round(median(series))}`
  return `${kind} of ${name} grow by ${rise}${isExpected ? '; it keeps what it gets for days' : ''}`
}

function describe({ heap, descriptors, queues }: Sample): string {
  const megabytes = Object.entries(heap).map(([name, bytes]) => `${name} ${Math.round(bytes / MB)} MB`)
  const open = Object.values(descriptors).reduce((sum, count) => sum + count, 0)
  const waiting = Object.values(queues).reduce((sum, count) => sum + count, 0)
  return `${megabytes.join(', ')}; ${open} descriptors; ${waiting} waiting`
}
