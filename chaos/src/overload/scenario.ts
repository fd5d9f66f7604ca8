import { openDatabase } from '@sealpost/postgres'
import { type Figures, hundredths, readProcessStat, type Scenario, type ScenarioContext, zero } from '@sealpost/testkit'
import { openNeighbour } from '../fairness/tenants.ts'
import { startProgram } from '../load-program.ts'
import { latencyOf, sum } from '../pairs.ts'
import { openServices } from '../roles/services.ts'
import { type RoleSite, startRoleSite } from '../roles/site.ts'
import { OFFER_PROGRAM, type OfferReport, type Tenant } from './plan.ts'

interface Size {
  readonly tenants: number
  readonly seconds: number
}

const SETTINGS = { DATABASE_POOL: '10', HTTP_CONNECTIONS_ADDRESS: '10000' }
const LEVELS = [50, 100, 200, 400] as const
/** A process holds what it answers in time when this much more is offered at each step. */
const STEP = 1.25
const FIRST_PER_SECOND = 100
/** Of what is offered. */
const HELD_SHARE = 0.98
const HELD_MEDIAN_MS = 100
const RECOVERY_SECONDS = 15
const NORMAL_FACTOR = 2

/**
 * More calls than a process can answer. First the rate that it holds is searched; then half of it, all of it, twice and
 * four times as much is offered at fixed times. What cannot be answered must be refused early and cheaply.
 */
export const overloadScenario: Scenario<Size> = {
  name: 'overload',
  about: 'up to four times the calls that a process holds: most of what it can answer is answered, soon',
  sizes: { small: { tenants: 20, seconds: 5 }, full: { tenants: 40, seconds: 20 } },
  bars: [
    ...zero('wrong_before', 'wrong_after'),
    { figure: 'goodput_400_ratio', atLeast: 0.8, small: 0.6 },
    { figure: 'median_400_ratio', atMost: 5, small: 15 },
    { figure: 'refusal_cpu_ratio', atMost: 0.1, small: 0.3 },
    { figure: 'normal_after_s', atMost: 10 },
  ],
  run: runOverload,
}

async function runOverload(context: ScenarioContext, size: Size): Promise<Figures> {
  const site = await openSite(context, size)
  const holds = await findRate(site, size)
  context.progress(`the process holds ${holds} calls a second`)
  const levels: Level[] = []
  for (const percent of LEVELS) {
    const level = await offer(site, (holds * percent) / 100, size.seconds)
    context.progress(`${percent} %: ${describe(level)}`)
    levels.push(level)
  }
  const normalAfter = await untilNormal(site, holds / 2, levels[0]?.median ?? Number.NaN)
  return summarize(holds, levels, normalAfter)
}

interface Site {
  readonly context: ScenarioContext
  readonly site: RoleSite
  readonly tenants: readonly Tenant[]
}

async function openSite(context: ScenarioContext, { tenants: count }: Size): Promise<Site> {
  const site = await startRoleSite(context, { workers: 0, settings: SETTINGS })
  const database = openDatabase({ url: site.databaseUrl, poolSize: 2, applicationName: 'chaos-seed' })
  context.onEnd(() => database.close())
  const services = await openServices(site, count, 1)
  const tenants = await Promise.all(services.map((service) => openNeighbour(database, service)))
  context.progress(`${tenants.length} tenants are ready`)
  return { context, site, tenants }
}

interface Level {
  readonly goodput: number
  readonly median: number
  readonly p99: number
  readonly cpuMs: number
  readonly report: OfferReport
}

async function offer({ context, site, tenants }: Site, perSecond: number, seconds: number): Promise<Level> {
  const before = cpuMsOf(site)
  const program = startProgram(OFFER_PROGRAM, { apiUrl: site.api.url, tenants, perSecond, seconds })
  context.onEnd(() => program.end())
  const report = await program.report
  const { median, p99 } = latencyOf(report.accepted)
  const cpuMs = cpuMsOf(site) - before
  return { goodput: report.accepted.length / seconds, median, p99, cpuMs, report }
}

function cpuMsOf({ api }: RoleSite): number {
  return readProcessStat(api.pid())?.usedMs ?? Number.NaN
}

/** The largest offer of which nearly all is answered in time. */
async function findRate(site: Site, { seconds }: Size): Promise<number> {
  let held = 0
  for (let perSecond = FIRST_PER_SECOND; ; perSecond = Math.round(perSecond * STEP)) {
    const { goodput, median } = await offer(site, perSecond, Math.ceil(seconds / 4))
    if (goodput < perSecond * HELD_SHARE || median > HELD_MEDIAN_MS) return held
    held = perSecond
  }
}

/** Seconds until a second of half the rate is as fast as before. */
async function untilNormal(site: Site, perSecond: number, medianBefore: number): Promise<number> {
  for (let second = 1; second <= RECOVERY_SECONDS; second += 1) {
    const { median, report } = await offer(site, perSecond, 1)
    if (median <= NORMAL_FACTOR * medianBefore && report.accepted.length === report.sent) return second
  }
  return Number.POSITIVE_INFINITY
}

function summarize(holds: number, levels: readonly Level[], normalAfter: number): Figures {
  const [half, all, twice, four] = levels
  if (half === undefined || all === undefined || twice === undefined || four === undefined) throw new Error('no levels')
  const best = Math.max(...levels.map(({ goodput }) => goodput))
  const acceptedCpuMs = half.cpuMs / half.report.accepted.length
  const refusedCpuMs = (four.cpuMs - four.report.accepted.length * acceptedCpuMs) / four.report.refused
  return {
    holds_per_s: holds,
    goodput_50: Math.round(half.goodput),
    goodput_100: Math.round(all.goodput),
    goodput_200: Math.round(twice.goodput),
    goodput_400: Math.round(four.goodput),
    median_ms_50: hundredths(half.median),
    median_ms_100: hundredths(all.median),
    median_ms_200: hundredths(twice.median),
    median_ms_400: hundredths(four.median),
    p99_ms_400: hundredths(four.p99),
    refused_400: four.report.refused,
    accepted_cpu_ms: hundredths(acceptedCpuMs),
    refused_cpu_ms: hundredths(refusedCpuMs),
    goodput_400_ratio: hundredths(four.goodput / best),
    median_400_ratio: hundredths(four.median / half.median),
    refusal_cpu_ratio: hundredths(refusedCpuMs / acceptedCpuMs),
    normal_after_s: normalAfter,
    wrong_before: wrongOf(half),
    wrong_after: wrongOf(four),
  }
}

function wrongOf({ report }: Level): number {
  return sum(Object.values(report.wrong), (times) => times)
}

function describe({ goodput, median, p99, cpuMs, report }: Level): string {
  const figures = `${Math.round(goodput)} answered a second, median ${hundredths(median)} ms, p99 ${hundredths(p99)} ms`
  return `${figures}, ${report.refused} refused, ${Math.round(cpuMs)} ms of CPU, wrong ${JSON.stringify(report.wrong)}`
}
