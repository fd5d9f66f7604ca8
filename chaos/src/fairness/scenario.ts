import { openDatabase } from '@sealpost/postgres'
import { atLeastOne, type Figures, hundredths, type Scenario, type ScenarioContext, zero } from '@sealpost/testkit'
import { requireOk } from '../calls.ts'
import { type Program, startProgram } from '../load-program.ts'
import { compareLatencies, type Latency, latencyOf, measurePair, type Pair, sum, sumOf, watchMemory } from '../pairs.ts'
import { openLogin } from '../roles/login.ts'
import { openServices } from '../roles/services.ts'
import { type RoleSite, startRoleSite } from '../roles/site.ts'
import {
  BARE_PROGRAM,
  HOSTILE_PROGRAM,
  type HostilePlan,
  type HostileReport,
  NEIGHBOURS_PROGRAM,
  type NeighboursPlan,
  type NeighboursReport,
} from './plan.ts'
import { addCustomers, type Customers, openNeighbour, storeFile } from './tenants.ts'

interface Size {
  readonly pairs: number
  readonly callsPerTenant: number
  readonly perSecond: number
  readonly customers: Customers
  readonly fileBytes: number
  readonly load: Omit<HostilePlan, 'apiUrl' | 'dataToken' | 'portalToken' | 'fileFieldId' | 'configToken'>
}

const NEIGHBOURS = 9
const MB = 1_048_576
/** Limits per tenant that leave room for the calls of a run: 1,000 in a minute. */
const SETTINGS = { DATABASE_POOL: '10', RATE_DATA: '1200', RATE_CONNECTIONS: '60', RATE_CHANGES: '120' }
const LOGIN_EVERY_MS = 1000

/**
 * One tenant at all of its limits at once, beside nine others. Pairs of runs with and without it are compared by the latency
 * from the due time of a call of the others to its answer. Calls of a server without the product, on the same machine, show
 * how much of it the machine adds.
 */
export const fairnessScenario: Scenario<Size> = {
  name: 'fairness',
  about: 'one tenant at all of its limits beside nine others: their calls and logins stay as fast as without it',
  sizes: {
    small: {
      pairs: 1,
      callsPerTenant: 150,
      perSecond: 5,
      customers: { connections: 60, rows: 30, characters: 15_000 },
      fileBytes: 6_000_000,
      load: {
        bodyBytes: 8 * MB,
        callsInFlight: 40,
        bodiesInFlight: 8,
        pagesInFlight: 4,
        unreadDownloads: 40,
        slowReaders: 4,
        halfOpen: 50,
      },
    },
    full: {
      pairs: 5,
      callsPerTenant: 1000,
      perSecond: 16,
      customers: { connections: 100, rows: 90, characters: 15_000 },
      fileBytes: 15_000_000,
      load: {
        bodyBytes: 40 * MB,
        callsInFlight: 200,
        bodiesInFlight: 24,
        pagesInFlight: 6,
        unreadDownloads: 90,
        slowReaders: 10,
        halfOpen: 300,
      },
    },
  },
  bars: [
    ...zero('failed', 'logins_refused'),
    // Otherwise the run proves nothing about that load.
    ...atLeastOne(
      'hostile_calls',
      'hostile_bodies',
      'hostile_pages',
      'hostile_downloads',
      'hostile_half_open',
      'logins',
    ),
    { figure: 'median_ratio', atMost: 1.5, small: 6 },
    { figure: 'p99_ratio', atMost: 3, small: 20 },
    { figure: 'rss_mb', atMost: 1000 },
  ],
  run: runFairness,
}

async function runFairness(context: ScenarioContext, size: Size): Promise<Figures> {
  const fairness = await openFairness(context, size)
  // Warms up caches and connections.
  await measure(fairness, false, Math.ceil(size.callsPerTenant / 10))
  const pairs: Pair<Measured>[] = []
  for (let number = 0; number < size.pairs; number += 1) {
    const pair = await measurePair(number, (isHostile) => measure(fairness, isHostile, size.callsPerTenant))
    pairs.push(pair)
    context.progress(`pair ${number + 1}: without ${describe(pair.without)}; beside it ${describe(pair.beside)}`)
  }
  return summarize(pairs)
}

interface Fairness {
  readonly context: ScenarioContext
  readonly site: RoleSite
  readonly neighbours: Omit<NeighboursPlan, 'callsPerTenant'>
  readonly hostile: HostilePlan
}

async function openFairness(context: ScenarioContext, size: Size): Promise<Fairness> {
  const site = await startRoleSite(context, { workers: 1, settings: SETTINGS })
  const [hostile, ...others] = await openServices(site, NEIGHBOURS + 1, 1)
  if (hostile === undefined) throw new Error('no services')
  const database = openDatabase({ url: site.databaseUrl, poolSize: 2, applicationName: 'chaos-seed' })
  context.onEnd(() => database.close())
  const tenants = await Promise.all(others.map((service) => openNeighbour(database, service)))
  await addCustomers(database, hostile, size.customers)
  const fileFieldId = await storeFile(hostile, size.fileBytes)
  const { config_token } = await requireOk(hostile.data('GET', '/api/company-data/request-fields'))
  const { dataToken, portalToken } = hostile
  const urls = { frontDoorUrl: site.frontDoor.url, apiUrl: site.api.url }
  const login = { ...(await openLogin(site)), everyMs: LOGIN_EVERY_MS }
  const bare = startProgram(BARE_PROGRAM, { databaseUrl: site.databaseUrl })
  context.onEnd(() => bare.end())
  const { url: bareUrl } = await bare.report
  context.progress(`${tenants.length} tenants and the one at its limits are ready`)
  return {
    context,
    site,
    neighbours: { ...urls, bareUrl, tenants, perSecond: size.perSecond, login },
    hostile: {
      ...size.load,
      apiUrl: urls.apiUrl,
      dataToken,
      portalToken,
      fileFieldId,
      configToken: String(config_token),
    },
  }
}

interface Measured extends Omit<NeighboursReport, 'latencies' | 'bare'>, Latency {
  readonly bare: Latency
  readonly byKind: readonly (Latency & { readonly kind: string })[]
  readonly rssMb: number
  readonly hostile: HostileReport
}

async function measure(fairness: Fairness, isHostile: boolean, callsPerTenant: number): Promise<Measured> {
  const { context, site, neighbours } = fairness
  const hostile = isHostile ? startProgram(HOSTILE_PROGRAM, fairness.hostile) : null
  const load = startProgram(NEIGHBOURS_PROGRAM, { ...neighbours, callsPerTenant })
  for (const program of [hostile, load]) if (program !== null) context.onEnd(() => program.end())
  const watched = watchMemory(site.api.pid())
  const { latencies, bare, ...report } = await load.report.finally(() => watched.stop())
  return {
    ...report,
    ...latencyOf(Object.values(latencies).flat()),
    bare: latencyOf(bare),
    byKind: Object.entries(latencies).map(([kind, times]) => ({ kind, ...latencyOf(times) })),
    rssMb: watched.mostMb(),
    hostile: hostile === null ? {} : await stop(hostile),
  }
}

async function stop(hostile: Program<HostileReport>): Promise<HostileReport> {
  hostile.stop()
  return hostile.report
}

function summarize(pairs: readonly Pair<Measured>[]): Figures {
  const all = pairs.flatMap(({ without, beside }) => [without, beside])
  const hostile = (prefix: string): number => sum(pairs, ({ beside }) => sumOf(beside.hostile, prefix))
  return {
    pairs: pairs.length,
    calls: sum(all, ({ calls }) => calls),
    failed: sum(all, ({ failures }) => sum(Object.values(failures), (times) => times)),
    logins: sum(all, ({ logins }) => logins),
    logins_refused: sum(all, ({ loginsRefused }) => loginsRefused),
    hostile_calls: hostile('call_'),
    hostile_bodies: hostile('body_') + hostile('held_body'),
    hostile_pages: hostile('page_'),
    hostile_downloads: hostile('download') + hostile('slow_reader'),
    hostile_half_open: hostile('half_open'),
    hostile_refused: hostile('call_429') + hostile('body_429') + hostile('page_429'),
    ...compareLatencies(pairs),
    ...compareBare(pairs),
    rss_mb: Math.max(...all.map(({ rssMb }) => rssMb)),
  }
}

/** How much the machine itself is slowed. */
function compareBare(pairs: readonly Pair<Measured>[]): Figures {
  const of = pairs.map(({ without, beside }) => ({ without: without.bare, beside: beside.bare }))
  const { median_ratio, p99_ratio } = compareLatencies(of)
  return { bare_median_ratio: median_ratio, bare_p99_ratio: p99_ratio }
}

function describe(measured: Measured): string {
  const { byKind, failures, logins, loginsRefused, rssMb, hostile } = measured
  const kinds = [...byKind, { kind: 'bare', ...measured.bare }]
    .map((kind) => `${kind.kind} ${describeLatency(kind)}`)
    .join(', ')
  const times = `${describeLatency(measured)} of ${measured.calls} (${kinds}), failures ${JSON.stringify(failures)}`
  const rest = `${loginsRefused} of ${logins} logins refused, ${rssMb} MB`
  return Object.keys(hostile).length === 0 ? `${times}, ${rest}` : `${times}, ${rest}, ${JSON.stringify(hostile)}`
}

function describeLatency({ median, p99 }: Latency): string {
  return `median ${hundredths(median)} ms p99 ${hundredths(p99)} ms`
}
