import { type Database, openDatabase } from '@sealpost/postgres'
import {
  atLeastOne,
  type Figures,
  hundredths,
  median,
  medianRatio,
  type Scenario,
  type ScenarioContext,
  waitUntil,
  zero,
} from '@sealpost/testkit'
import { requireOk } from '../calls.ts'
import type { EventOwner } from '../roles/events.ts'
import { type Load, type SentEvent, sendAtRate, sendToEach } from '../roles/load.ts'
import { inBatches, openServices, type SiteService } from '../roles/services.ts'
import { openSink, type Sink, type SinkArrival } from '../roles/sink.ts'
import { startRoleSite } from '../roles/site.ts'

interface Size extends Load {
  readonly services: number
  readonly pairs: number
}

const WEBHOOKS_PER_SERVICE = 10
const SETTINGS = { WEBHOOK_PROBE_DELAY_SECONDS: '5' }
const BATCH = 4
const STALL_MS = 120_000
const STRAGGLERS_MS = 20_000

/**
 * One worker process with many webhooks, of which a tenth hangs at every probe. Pairs of runs with and without the hanging
 * ones are compared by the latency from the due time of an event to its arrival at the other webhooks.
 */
export const isolationScenario: Scenario<Size> = {
  name: 'isolation',
  about: 'one worker with 2,000 webhooks of which 200 hang: the others get their events as fast as without them',
  sizes: {
    small: { services: 12, pairs: 1, perSecond: 8, seconds: 6 },
    full: { services: 200, pairs: 5, perSecond: 16, seconds: 20 },
  },
  bars: [
    ...zero('out_of_balance', 'missing', 'duplicated'),
    // Otherwise the run proves nothing about hanging webhooks.
    ...atLeastOne('hung'),
    // A delivery that waited for a hanging webhook would wait for seconds, which the wide small limits still detect.
    { figure: 'median_ratio', atMost: 1.5, small: 10 },
    { figure: 'p99_ratio', atMost: 1.5, small: 30 },
  ],
  run: runIsolation,
}

async function runIsolation(context: ScenarioContext, size: Size): Promise<Figures> {
  const site = await openIsolationSite(context, size)
  const pairs: { readonly without: Measured; readonly withBad: Measured }[] = []
  // Warms up caches and connections.
  await measure(site, size, 0)
  for (let number = 0; number < size.pairs; number += 1) {
    // Alternate the order, so that a drift of the machine's speed favours neither.
    const isBadFirst = number % 2 === 1
    const first = await measureWith(site, size, isBadFirst)
    const second = await measureWith(site, size, !isBadFirst)
    const pair = isBadFirst ? { withBad: first, without: second } : { without: first, withBad: second }
    pairs.push(pair)
    context.progress(
      `pair ${number + 1}: without ${describe(pair.without)}; with hanging ones ${describe(pair.withBad)}`,
    )
  }
  const all = pairs.flatMap(({ without, withBad }) => [without, withBad])
  const figures = (figure: 'median' | 'p99') => ({
    without: pairs.map((pair) => pair.without[figure]),
    withBad: pairs.map((pair) => pair.withBad[figure]),
  })
  const [medians, p99s] = [figures('median'), figures('p99')]
  return {
    webhooks: size.services * WEBHOOKS_PER_SERVICE,
    bad: size.services,
    pairs: pairs.length,
    published: sum(all, 'published'),
    arrived: sum(all, 'arrived'),
    missing: sum(all, 'missing'),
    out_of_balance: Math.abs(sum(all, 'published') - sum(all, 'arrived') - sum(all, 'missing')),
    duplicated: sum(all, 'duplicated'),
    hung: sum(all, 'hung'),
    median_ms: hundredths(median(medians.without)),
    median_ms_with_bad: hundredths(median(medians.withBad)),
    p99_ms: hundredths(median(p99s.without)),
    p99_ms_with_bad: hundredths(median(p99s.withBad)),
    median_ratio: medianRatio(medians.withBad, medians.without),
    p99_ratio: medianRatio(p99s.withBad, p99s.without),
  }
}

interface IsolationSite {
  readonly database: Database
  readonly owners: readonly EventOwner[]
  readonly sink: Sink
  readonly bad: readonly { readonly service: SiteService; readonly webhookId: string }[]
  readonly badNumbers: readonly number[]
}

/** The last webhook of each service hangs. */
function isBad(webhook: number): boolean {
  return webhook % WEBHOOKS_PER_SERVICE === WEBHOOKS_PER_SERVICE - 1
}

async function openIsolationSite(context: ScenarioContext, size: Size): Promise<IsolationSite> {
  const site = await startRoleSite(context, { workers: 1, settings: SETTINGS })
  const services = await openServices(site, size.services)
  const sink = await openSink(isBad)
  context.onEnd(() => sink.close())
  const wanted = services.flatMap((service, index) =>
    Array.from({ length: WEBHOOKS_PER_SERVICE }, (_, position) => ({
      service,
      number: index * WEBHOOKS_PER_SERVICE + position,
    })),
  )
  const made = await inBatches(wanted, BATCH, async ({ service, number }) => {
    const body = { url: sink.url(number), events: [], enabled: true, auth_type: 'hmac' }
    const answer = await requireOk(service.portal('POST', `/api/services/${service.serviceId}/webhooks`, { body }))
    return { service, number, webhookId: String(answer['id']) }
  })
  context.progress(`${made.length} webhooks are ready`)
  const database = openDatabase({ url: site.databaseUrl, poolSize: 8, applicationName: 'chaos-sender' })
  context.onEnd(() => database.close())
  const owners = services.map(({ number, companyId, serviceId }) => {
    return { number, companyId, serviceId, slot: null, personIds: [companyId] }
  })
  const bad = made.filter(({ number }) => isBad(number))
  const opened = { database, owners, sink, bad, badNumbers: bad.map(({ number }) => number) }
  await switchBad(opened, 'pause')
  return opened
}

async function switchBad({ bad }: Pick<IsolationSite, 'bad'>, operation: 'pause' | 'resume'): Promise<void> {
  await inBatches(bad, BATCH, ({ service, webhookId }) =>
    requireOk(service.portal('POST', `/api/services/${service.serviceId}/webhooks/${webhookId}/${operation}`)),
  )
}

interface Measured {
  readonly published: number
  readonly arrived: number
  readonly missing: number
  readonly duplicated: number
  readonly hung: number
  readonly median: number
  readonly p99: number
}

async function measureWith(site: IsolationSite, size: Size, hasBad: boolean): Promise<Measured> {
  if (!hasBad) return measure(site, size, 0)
  await switchBad(site, 'resume')
  const seen = new Set<number>()
  await sendToEach(site.database, site.owners)
  await waitUntil('every webhook that hangs was tried', STALL_MS, () => {
    for (const webhook of site.sink.takeHung()) seen.add(webhook)
    return site.badNumbers.every((webhook) => seen.has(webhook))
  })
  const measured = await measure(site, size, seen.size)
  await switchBad(site, 'pause')
  // Requests that still hang until the worker's time-out must not affect the next run.
  await waitUntil('no request hangs', STALL_MS, () => site.sink.hanging() === 0)
  return measured
}

async function measure({ database, owners, sink }: IsolationSite, size: Size, hung: number): Promise<Measured> {
  await waitUntilIdle(sink)
  const sent = await sendAtRate(database, owners, size)
  const wanted = sent.length * (WEBHOOKS_PER_SERVICE - 1)
  const arrivals: SinkArrival[] = []
  await waitUntil('everything has arrived', STRAGGLERS_MS, () => {
    arrivals.push(...sink.takeArrivals())
    return arrivals.length >= wanted
  }).catch((error: unknown) => console.error(String(error)))
  return summarize(sent, arrivals, hung + sink.takeHung().size)
}

/** Waits for events that were sent before the measurement. */
async function waitUntilIdle(sink: Sink): Promise<void> {
  let quietSinceMs = performance.now()
  await waitUntil('the other webhooks are idle', STALL_MS, () => {
    if (sink.takeArrivals().length > 0) quietSinceMs = performance.now()
    return performance.now() - quietSinceMs > 1000
  })
}

function summarize(sent: readonly SentEvent[], arrivals: readonly SinkArrival[], hung: number): Measured {
  const dueMs = new Map(sent.map((event) => [event.id, event.dueMs]))
  const first = new Map<string, number>()
  let duplicated = 0
  for (const { webhook, id, atMs } of arrivals) {
    const due = dueMs.get(id)
    const name = `${webhook} ${id}`
    if (due === undefined) continue
    if (first.has(name)) duplicated += 1
    else first.set(name, atMs - due)
  }
  const expected = sent.flatMap(({ service, id }) => answeringWebhooksOf(service).map((webhook) => `${webhook} ${id}`))
  const missing = expected.filter((name) => !first.has(name)).length
  const times = [...first.values()].toSorted((one, other) => one - other)
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? Number.NaN
  return {
    published: expected.length,
    arrived: first.size,
    missing,
    duplicated,
    hung,
    median: at(0.5),
    p99: at(0.99),
  }
}

/** Services are numbered from one. */
function answeringWebhooksOf(service: number): readonly number[] {
  const all = Array.from(
    { length: WEBHOOKS_PER_SERVICE },
    (_, position) => (service - 1) * WEBHOOKS_PER_SERVICE + position,
  )
  return all.filter((webhook) => !isBad(webhook))
}

function describe({ median: middle, p99, arrived }: Measured): string {
  return `median ${hundredths(middle)} ms, p99 ${hundredths(p99)} ms of ${arrived}`
}

function sum(all: readonly Measured[], figure: keyof Measured): number {
  return all.reduce((total, one) => total + one[figure], 0)
}
