import { atLeastOne, type Figures, type Scenario, type ScenarioContext, zero } from '@sealpost/testkit'
import type { Consumer } from './consumers.ts'
import { FAILURE_MODES } from './failure-modes.ts'
import { injectFaults, type FaultLog, type FaultPlan, killsOf } from './faults.ts'
import type { Behaviour } from './receivers.ts'
import { type DeliveryRun, finishRun, type RunPlan, startRun } from './run.ts'
import { watchStalls } from './stalls.ts'
import { DELIVERY_BARS, verify } from './verify.ts'

type Size = FaultPlan & RunPlan

const SITE = { workers: 3, hasStandby: false, behaviourOf } as const

/**
 * Publishes events to webhooks and pull feeds while processes are killed at random and receivers fail. Committed, delivered
 * and waiting events must balance to the last entry: [Note: channel balance].
 */
export const deliveryScenario: Scenario<Size> = {
  name: 'delivery',
  about: 'events reach webhooks and pull consumers in order through killed workers, APIs and engines, none is lost',
  sizes: {
    small: {
      ...SITE,
      events: 1500,
      services: 3,
      webhooksPerService: 6,
      perSecond: 150,
      failureRate: 0.04,
      workerKills: 2,
      apiKills: 1,
      redisKills: 1,
      restarts: 1,
      freezes: 0,
    },
    full: {
      ...SITE,
      events: 100_000,
      services: 50,
      webhooksPerService: 10,
      perSecond: 220,
      failureRate: 0.01,
      workerKills: 34,
      apiKills: 17,
      redisKills: 10,
      restarts: 3,
      freezes: 3,
    },
  },
  bars: [
    ...DELIVERY_BARS,
    ...zero('mismatched_ids', 'overlaps', 'bad_signatures', 'kills_missing'),
    // Otherwise the run proves nothing about delivery.
    ...atLeastOne('delivered', 'collapsed'),
    { figure: 'failure_modes', atLeast: FAILURE_MODES.length, small: 0 },
  ],
  run: runDelivery,
}

async function runDelivery(context: ScenarioContext, size: Size): Promise<Figures> {
  const run = await startRun(context, size)
  const stalls = watchStalls()
  const startedMs = performance.now()
  const describe = () => `${run.publisher.rows.length} published, ${run.receivers.counts.requests} posts`
  const progress = { total: size.events, done: () => run.publisher.rows.length, describe }
  const faults = await injectFaults(context, run.site, size, progress)
  await run.publisher.done
  context.progress(`everything is published and all processes are up; ${describe()}`)
  run.receivers.recover()
  const catchUpMs = await finishRun(run)
  stalls.end()
  const verified = await verify({ ...run, faults })
  return {
    events: size.events,
    webhooks: run.webhooks.length,
    pull_consumers: run.consumers.length,
    ...verified,
    ...faultFigures(size, faults),
    ...traffic(run),
    failure_modes: run.receivers.failures.size,
    catch_up_seconds: Math.round(catchUpMs / 1000),
    longest_stall_ms: stalls.longestStallMs(),
    clock_step_ms: stalls.largestStepMs(),
    posts_per_second: Math.round(run.receivers.counts.requests / ((performance.now() - startedMs) / 1000)),
  }
}

function faultFigures(size: Size, faults: FaultLog): Figures {
  const { worker, api, redis, postgres, frozen } = faults.counts
  return {
    kills: killsOf(faults),
    kills_workers: worker,
    kills_api: api,
    kills_redis: redis,
    restarts_postgres: postgres,
    freezes_workers: frozen,
    kills_missing: size.workerKills + size.apiKills + size.redisKills + size.restarts - killsOf(faults) - postgres,
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

/** Of a hundred receivers one is down, ten are flapping and forty are erratic. */
function behaviourOf(webhook: number): Behaviour {
  const share = (webhook * 37) % 100
  if (share < 1) return 'down'
  if (share < 11) return 'flapping'
  return share < 51 ? 'erratic' : 'healthy'
}
