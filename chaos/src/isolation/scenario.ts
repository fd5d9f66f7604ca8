import { type Database, openDatabase } from '@sealpost/postgres'
import { type Bar, type Figures, type Scenario, type ScenarioContext, waitUntil } from '@sealpost/testkit'
import type { EventOwner } from '../roles/events.ts'
import { demand, inTurns, openServices, type SiteService } from '../roles/services.ts'
import { startRoleSite } from '../roles/site.ts'
import { type Load, type SentEvent, sendByTheClock, sendToAll } from './load.ts'
import { openSink, type Sink, type SinkArrival } from './sink.ts'

interface Size extends Load {
  readonly services: number
  readonly pairs: number
}

const HOOKS_PER_SERVICE = 10
const FULL: Size = { services: 200, pairs: 5, perSecond: 16, seconds: 20 }
const SMALL: Size = { services: 12, pairs: 1, perSecond: 8, seconds: 6 }
const SETTINGS = { WEBHOOK_GRACE_SECONDS: '5' }
const AT_ONCE = 4
const STALL_MS = 120_000
const STRAGGLERS_MS = 20_000

const bars: readonly Bar[] = [
  { figure: 'out_of_balance', atMost: 0 },
  { figure: 'missing', atMost: 0 },
  { figure: 'doubled', atMost: 0 },
  // Otherwise the run has not shown what it is for.
  { figure: 'hung', atLeast: 1 },
]

/**
 * One worker process with many webhooks of which a tenth hangs at every probe. In pairs of runs with and without those, what
 * the others feel of it is the ratio of how long events take from the moment they are due to be written until they arrive.
 */
export const isolationScenario: Scenario = {
  name: 'isolation',
  about: 'one worker with 2,000 webhooks of which 200 hang: the others get their events as fast as without them',
  bars: [...bars, { figure: 'median_ratio', atMost: 1.5 }, { figure: 'p99_ratio', atMost: 1.5 }],
  // One short pair beside other work: what waited for a hanging one would wait for seconds.
  smallBars: [...bars, { figure: 'median_ratio', atMost: 10 }, { figure: 'p99_ratio', atMost: 30 }],
  run: (context) => runIsolation(context, context.isSmall ? SMALL : FULL),
}

export async function runIsolation(context: ScenarioContext, size: Size): Promise<Figures> {
  const site = await openIsolationSite(context, size)
  const pairs: { readonly without: Measured; readonly withBad: Measured }[] = []
  // Whatever warms up does so before the first pair.
  await measure(site, size, 0)
  for (let number = 0; number < size.pairs; number += 1) {
    // In turn first, so that a machine that gets faster or slower favours neither.
    const isBadFirst = number % 2 === 1
    const first = await measureWith(site, size, isBadFirst)
    const second = await measureWith(site, size, !isBadFirst)
    const pair = isBadFirst ? { withBad: first, without: second } : { without: first, withBad: second }
    pairs.push(pair)
    context.progress(`pair ${number + 1}: without ${describe(pair.without)}; with bad ones ${describe(pair.withBad)}`)
  }
  const all = pairs.flatMap(({ without, withBad }) => [without, withBad])
  const ratios = (figure: 'median' | 'p99') =>
    median(pairs.map(({ without, withBad }) => withBad[figure] / without[figure]))
  return {
    webhooks: size.services * HOOKS_PER_SERVICE,
    bad: size.services,
    pairs: pairs.length,
    published: sum(all, 'published'),
    arrived: sum(all, 'arrived'),
    missing: sum(all, 'missing'),
    out_of_balance: Math.abs(sum(all, 'published') - sum(all, 'arrived') - sum(all, 'missing')),
    doubled: sum(all, 'doubled'),
    hung: sum(all, 'hung'),
    median_ms: rounded(median(pairs.map(({ without }) => without.median))),
    median_ms_with_bad: rounded(median(pairs.map(({ withBad }) => withBad.median))),
    p99_ms: rounded(median(pairs.map(({ without }) => without.p99))),
    p99_ms_with_bad: rounded(median(pairs.map(({ withBad }) => withBad.p99))),
    median_ratio: rounded(ratios('median')),
    p99_ratio: rounded(ratios('p99')),
  }
}

interface IsolationSite {
  readonly database: Database
  readonly owners: readonly EventOwner[]
  readonly sink: Sink
  readonly bad: readonly { readonly service: SiteService; readonly webhookId: string }[]
  readonly badNumbers: readonly number[]
}

/** The last webhook of each service is a bad one. */
function isBad(hook: number): boolean {
  return hook % HOOKS_PER_SERVICE === HOOKS_PER_SERVICE - 1
}

async function openIsolationSite(context: ScenarioContext, size: Size): Promise<IsolationSite> {
  const site = await startRoleSite(context, { workers: 1, settings: SETTINGS })
  const services = await openServices(site, size.services)
  const sink = await openSink(isBad)
  context.onEnd(() => sink.close())
  const wanted = services.flatMap((service, place) =>
    Array.from({ length: HOOKS_PER_SERVICE }, (_, own) => ({ service, number: place * HOOKS_PER_SERVICE + own })),
  )
  const made = await inTurns(wanted, AT_ONCE, async ({ service, number }) => {
    const body = { url: sink.url(number), events: [], enabled: true, auth_type: 'hmac' }
    const answer = await demand(service.portal('POST', `/api/services/${service.serviceId}/webhooks`, { body }))
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
  await letBad(opened, 'pause')
  return opened
}

async function letBad({ bad }: Pick<IsolationSite, 'bad'>, act: 'pause' | 'resume'): Promise<void> {
  await inTurns(bad, AT_ONCE, ({ service, webhookId }) =>
    demand(service.portal('POST', `/api/services/${service.serviceId}/webhooks/${webhookId}/${act}`)),
  )
}

interface Measured {
  readonly published: number
  readonly arrived: number
  readonly missing: number
  readonly doubled: number
  readonly hung: number
  readonly median: number
  readonly p99: number
}

async function measureWith(site: IsolationSite, size: Size, hasBad: boolean): Promise<Measured> {
  if (!hasBad) return measure(site, size, 0)
  await letBad(site, 'resume')
  const seen = new Set<number>()
  await sendToAll(site.database, site.owners)
  await waitUntil('every bad webhook hangs', STALL_MS, () => {
    for (const hook of site.sink.takeHung()) seen.add(hook)
    return site.badNumbers.every((hook) => seen.has(hook))
  })
  const measured = await measure(site, size, seen.size)
  await letBad(site, 'pause')
  // Those that hang now are left by the worker when their time is over, and must not reach into the next run.
  await waitUntil('nothing hangs any more', STALL_MS, () => site.sink.hanging() === 0)
  return measured
}

async function measure({ database, owners, sink }: IsolationSite, size: Size, hung: number): Promise<Measured> {
  await drainSink(sink)
  const sent = await sendByTheClock(database, owners, size)
  const wanted = sent.length * (HOOKS_PER_SERVICE - 1)
  const arrivals: SinkArrival[] = []
  await waitUntil('everything has arrived', STRAGGLERS_MS, () => {
    arrivals.push(...sink.takeArrivals())
    return arrivals.length >= wanted
  }).catch((error: unknown) => console.error(String(error)))
  return judge(sent, arrivals, hung + sink.takeHung().size)
}

/** What was sent to get things going is not measured. */
async function drainSink(sink: Sink): Promise<void> {
  let quietSinceMs = performance.now()
  await waitUntil('the good webhooks have nothing to do', STALL_MS, () => {
    if (sink.takeArrivals().length > 0) quietSinceMs = performance.now()
    return performance.now() - quietSinceMs > 1000
  })
}

function judge(sent: readonly SentEvent[], arrivals: readonly SinkArrival[], hung: number): Measured {
  const dueMs = new Map(sent.map((event) => [event.id, event.dueMs]))
  const first = new Map<string, number>()
  let doubled = 0
  for (const { hook, id, atMs } of arrivals) {
    const due = dueMs.get(id)
    const name = `${hook} ${id}`
    if (due === undefined) continue
    if (first.has(name)) doubled += 1
    else first.set(name, atMs - due)
  }
  const expected = sent.flatMap(({ service, id }) => goodHooksOf(service).map((hook) => `${hook} ${id}`))
  const missing = expected.filter((name) => !first.has(name)).length
  const times = [...first.values()].toSorted((one, other) => one - other)
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? Number.NaN
  return {
    published: expected.length,
    arrived: first.size,
    missing,
    doubled,
    hung,
    median: at(0.5),
    p99: at(0.99),
  }
}

/** Services are numbered from one. */
function goodHooksOf(service: number): readonly number[] {
  const all = Array.from({ length: HOOKS_PER_SERVICE }, (_, own) => (service - 1) * HOOKS_PER_SERVICE + own)
  return all.filter((hook) => !isBad(hook))
}

function describe({ median: middle, p99, arrived }: Measured): string {
  return `median ${rounded(middle)} ms, p99 ${rounded(p99)} ms of ${arrived}`
}

function sum(all: readonly Measured[], figure: keyof Measured): number {
  return all.reduce((total, one) => total + one[figure], 0)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
