import type { Bar, Figures, Scenario, ScenarioContext } from '@sealpost/testkit'
import type { Consumer } from './consumers.ts'
import { breakThings, type FaultBook, type FaultPlan, killsOf } from './faults.ts'
import type { Temper } from './receivers.ts'
import { type DeliveryRun, openRun, type RunPlan, settle } from './run.ts'
import { watchStalls } from './stalls.ts'
import { TROUBLES } from './troubles.ts'
import { verify } from './verify.ts'

export type Size = FaultPlan & RunPlan

const SITE = { workers: 3, hasStandby: false, temperOf } as const
const FULL: Size = {
  ...SITE,
  events: 100_000,
  services: 50,
  hooksPerService: 10,
  perSecond: 220,
  troubleRate: 0.01,
  workerKills: 34,
  apiKills: 17,
  redisKills: 10,
  restarts: 3,
  freezes: 3,
}
const SMALL: Size = {
  ...SITE,
  events: 1500,
  services: 3,
  hooksPerService: 6,
  perSecond: 150,
  troubleRate: 0.04,
  workerKills: 2,
  apiKills: 1,
  redisKills: 1,
  restarts: 1,
  freezes: 0,
}

const bars: readonly Bar[] = [
  { figure: 'out_of_balance', atMost: 0 },
  { figure: 'lost', atMost: 0 },
  { figure: 'invented', atMost: 0 },
  { figure: 'disordered', atMost: 0 },
  { figure: 'pull_disordered', atMost: 0 },
  { figure: 'doubled_for_no_reason', atMost: 0 },
  { figure: 'mistaken_ids', atMost: 0 },
  { figure: 'overlaps', atMost: 0 },
  { figure: 'bad_signatures', atMost: 0 },
  { figure: 'not_in_database', atMost: 0 },
  { figure: 'kills_short', atMost: 0 },
  // Otherwise the run has not shown what it is for.
  { figure: 'delivered', atLeast: 1 },
  { figure: 'collapsed', atLeast: 1 },
]

/**
 * Events through webhooks and pull feeds while everything is killed at random and receivers misbehave. The ledger of what was
 * committed, what readers saw and what still waits must balance to the last entry: [Note: the ledger].
 */
export const deliveryScenario: Scenario = {
  name: 'delivery',
  about: 'events reach webhooks and pull consumers in order through killed workers, APIs and engines, none is lost',
  bars: [...bars, { figure: 'kinds_of_trouble', atLeast: TROUBLES.length }],
  smallBars: bars,
  run: (context) => runDelivery(context, context.isSmall ? SMALL : FULL),
}

export async function runDelivery(context: ScenarioContext, size: Size): Promise<Figures> {
  const run = await openRun(context, size)
  const stalls = watchStalls()
  const startedMs = performance.now()
  const tell = () => `${run.publisher.rows.length} published, ${run.receivers.counts.requests} posts`
  const progress = { total: size.events, done: () => run.publisher.rows.length, tell }
  const faults = await breakThings(context, run.site, size, progress)
  await run.publisher.done
  context.progress(`everything is published and up again; ${tell()}`)
  run.receivers.calm()
  const settleMs = await settle(run)
  await Promise.all(run.consumers.map((consumer) => consumer.end()))
  await Promise.all(run.site.workers.map((worker) => worker.stop()))
  stalls.end()
  const verdict = await verify({ ...run, faults })
  return {
    events: size.events,
    webhooks: run.hooks.length,
    pull_consumers: run.consumers.length,
    ...verdict,
    ...faultFigures(size, faults),
    ...traffic(run),
    kinds_of_trouble: run.receivers.troubles.size,
    settle_seconds: Math.round(settleMs / 1000),
    longest_stall_ms: stalls.longestStallMs(),
    clock_step_ms: stalls.largestStepMs(),
    posts_per_second: Math.round(run.receivers.counts.requests / ((performance.now() - startedMs) / 1000)),
  }
}

function faultFigures(size: Size, faults: FaultBook): Figures {
  const { worker, api, redis, postgres, frozen } = faults.counts
  return {
    kills: killsOf(faults),
    kills_workers: worker,
    kills_api: api,
    kills_redis: redis,
    restarts_postgres: postgres,
    freezes_workers: frozen,
    kills_short: size.workerKills + size.apiKills + size.redisKills + size.restarts - killsOf(faults) - postgres,
  }
}

function traffic({ receivers, consumers, publisher }: DeliveryRun): Figures {
  const sum = (figure: keyof Consumer['counts']): number => consumers.reduce((all, one) => all + one.counts[figure], 0)
  return {
    posts: receivers.counts.requests,
    bad_signatures: receivers.counts.badSignatures,
    pages: sum('pages'),
    pages_cut: sum('cut'),
    pages_aborted: sum('aborted'),
    pages_unanswered: sum('unanswered'),
    publish_failures: publisher.failures(),
    publish_unsure: publisher.unsure.size,
  }
}

/** Of a hundred webhooks one is dead and ten are flaky. */
function temperOf(hook: number): Temper {
  const place = (hook * 37) % 100
  if (place < 1) return 'dead'
  if (place < 11) return 'flaky'
  return place < 51 ? 'moody' : 'good'
}
