import { type AppProcess, appProcess, hundredths, median, reservePort, type ScenarioContext } from '@sealpost/testkit'
import { Pool } from 'undici'
import { alternate } from '../alternate.ts'
import { openCrowd } from './crowd.ts'
import { type HintStream, openHintStream } from './hint-stream.ts'
import type { ApprovalSite, Approver } from './site.ts'
import { call, regionWire } from './targets.ts'

export interface CrowdSize {
  /** Open streams of the crowded process; the other one has WATCHERS. */
  readonly streams: number
  /** Challenges per sample. */
  readonly hints: number
}

const WATCHERS = 10
const PAIRS = 5
const WARM_UPS = 1

/** The time from a challenge to its hint, at a process with few streams and at one with many, in pairs. */
export async function measureHints(
  context: ScenarioContext,
  site: ApprovalSite,
  { streams, hints }: CrowdSize,
): Promise<Readonly<Record<string, number>>> {
  const [few, many] = [await startProcess(context, site, 'few'), await startProcess(context, site, 'many')]
  await openCrowd(context, site, many, streams - WATCHERS)
  const waits = await alternate(
    {
      few: await openWatch(context, site, few, site.approvers.slice(0, WATCHERS), hints),
      many: await openWatch(context, site, many, site.approvers.slice(WATCHERS, 2 * WATCHERS), hints),
    },
    {
      warmUps: WARM_UPS,
      samples: PAIRS,
      onSample(number, sample) {
        context.progress(`pair ${number} of ${PAIRS}: few ${print(sample.few)}; many ${print(sample.many)}`)
      },
    },
  )
  const ratios = (figure: keyof Waits): number =>
    hundredths(median(waits.many.map((sample, pair) => sample[figure] / (waits.few[pair]?.[figure] ?? Number.NaN))))
  return {
    streams,
    few_median_ms: hundredths(median(waits.few.map((sample) => sample.median))),
    many_median_ms: hundredths(median(waits.many.map((sample) => sample.median))),
    few_p99_ms: hundredths(median(waits.few.map((sample) => sample.p99))),
    many_p99_ms: hundredths(median(waits.many.map((sample) => sample.p99))),
    median_growth: ratios('median'),
    p99_growth: ratios('p99'),
  }
}

async function startProcess(context: ScenarioContext, site: ApprovalSite, name: string): Promise<AppProcess> {
  const [port, internalPort] = await Promise.all([reservePort(), reservePort()])
  const ports = { LISTEN_PORT: String(port.port), INTERNAL_PORT: String(internalPort.port) }
  const environment = { ...site.installation.environment.eu, ...ports, REGION_ROLES: 'api' }
  const app = appProcess({ name: `api with ${name} streams`, app: 'region', environment })
  context.onEnd(() => app.kill())
  await app.start()
  return app
}

function print({ median: half, p99 }: Waits): string {
  return `${half.toFixed(1)} ms, 99 % within ${p99.toFixed(1)} ms`
}

interface Waits {
  readonly median: number
  readonly p99: number
}

async function openWatch(
  context: ScenarioContext,
  { token }: ApprovalSite,
  { url }: AppProcess,
  approvers: readonly Approver[],
  hints: number,
): Promise<() => Promise<Waits>> {
  const pool = new Pool(url, { connections: 2, pipelining: 1 })
  context.onEnd(() => pool.close())
  const streams = await Promise.all(approvers.map((one) => openHintStream(`${url}/api/customer/stream`, one.token)))
  context.onEnd(async () => {
    for (const stream of streams) stream.close()
  })
  return async () => {
    const waits: number[] = []
    for (let number = 0; number < hints; number += 1) {
      const place = number % approvers.length
      const [approver, stream] = [approvers[place], streams[place]]
      if (approver === undefined || stream === undefined) throw new Error('no watcher')
      waits.push(await measureOne(pool, token, approver, stream))
    }
    return { median: median(waits), p99: quantile(waits, 0.99) }
  }
}

async function measureOne(pool: Pool, token: string, approver: Approver, stream: HintStream): Promise<number> {
  const begunAt = performance.now()
  const { challenge_id: id = '' } = await call(pool, regionWire(token).raise(approver))
  const waited = (await stream.heard(id)) - begunAt
  await call(pool, { method: 'POST', path: `/api/customer/2fa/challenges/${id}/deny`, token: approver.token, body: {} })
  return waited
}

/** The smallest value that is not exceeded by this share of them. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}
