import { setTimeout as pause } from 'node:timers/promises'
import {
  type Figures,
  type PrivatePostgres,
  type Scenario,
  type ScenarioContext,
  waitUntil,
  zero,
} from '@sealpost/testkit'
import type { Fault } from '../delivery/balance.ts'
import type { FaultLog } from '../delivery/faults.ts'
import type { Behaviour } from '../delivery/receivers.ts'
import { type DeliveryRun, finishRun, type RunPlan, startRun } from '../delivery/run.ts'
import { DELIVERY_BARS, verify } from '../delivery/verify.ts'
import { type Edits, startEdits } from './edits.ts'

interface Size extends RunPlan {
  readonly failovers: number
}

const SITE = { workers: 2, hasStandby: true, failureRate: 0, behaviourOf: (): Behaviour => 'healthy' } as const
const DEADLINE_MS = 90_000
const WARM_MS = 2000

/** The primary of a region is killed under load and its synchronous standby promoted: no acknowledged write may be lost. */
export const failoverScenario: Scenario<Size> = {
  name: 'failover',
  about: 'the primary of a region is killed under load and its standby promoted: every acknowledged write is there',
  sizes: {
    small: { ...SITE, services: 2, webhooksPerService: 3, perSecond: 60, events: 1200, failovers: 1 },
    full: { ...SITE, services: 10, webhooksPerService: 5, perSecond: 150, events: 15_000, failovers: 3 },
  },
  bars: [
    ...DELIVERY_BARS,
    ...zero('lost_edits', 'queued'),
    { figure: 'write_gap_ms', atMost: 30_000 },
    { figure: 'delivery_gap_ms', atMost: 60_000 },
  ],
  run: runFailover,
}

async function runFailover(context: ScenarioContext, size: Size): Promise<Figures> {
  const run = await startRun(context, size)
  const edits = startEdits(run.customer)
  context.onEnd(() => edits.end())
  const gaps = await failOverInTurn(context, run, edits, size)
  await run.publisher.done
  await edits.end()
  const catchUpMs = await finishRun(run)
  const verified = await verify({ ...run, faults: faultLog(gaps) })
  return {
    failovers: gaps.length,
    events: size.events,
    edits: edits.accepted(),
    edits_unanswered: edits.counts.unanswered,
    lost_edits: edits.counts.lost,
    promote_ms: Math.max(...gaps.map(({ promoteMs }) => promoteMs)),
    write_gap_ms: Math.max(...gaps.map(({ writeMs }) => writeMs)),
    delivery_gap_ms: Math.max(...gaps.map(({ deliveryMs }) => deliveryMs)),
    publish_unsure: run.publisher.unsure.size,
    publish_failures: run.publisher.failures(),
    ...verified,
    catch_up_seconds: Math.round(catchUpMs / 1000),
  }
}

interface Gap {
  readonly fault: Fault
  /** From the kill until the standby accepts writes. */
  readonly promoteMs: number
  /** From the kill until the next transaction was acknowledged. */
  readonly writeMs: number
  /** From the kill until an event committed afterwards had arrived. */
  readonly deliveryMs: number
}

async function failOverInTurn(
  context: ScenarioContext,
  run: DeliveryRun,
  edits: Edits,
  { events, failovers }: { readonly events: number; readonly failovers: number },
): Promise<readonly Gap[]> {
  const { postgres, standby } = run.site
  if (standby === null) throw new Error('no standby')
  let [primary, follower]: [PrivatePostgres, PrivatePostgres] = [postgres, standby]
  const gaps: Gap[] = []
  for (let number = 1; number <= failovers; number += 1) {
    const due = Math.floor((events * number) / (failovers + 2))
    await waitUntil(`${due} events are published`, DEADLINE_MS, () => run.publisher.rows.length >= due)
    const gap = await failOver(run, primary, follower)
    gaps.push(gap)
    context.progress(
      `the primary was killed: promoted after ${gap.promoteMs} ms, writes after ${gap.writeMs} ms, deliveries after ${gap.deliveryMs} ms`,
    )
    await edits.check()
    ;[primary, follower] = [follower, primary]
    // The former primary becomes the standby of the promoted server.
    await follower.follow(primary)
    await primary.requireStandby()
    await pause(WARM_MS)
  }
  await edits.check()
  return gaps
}

async function failOver(run: DeliveryRun, primary: PrivatePostgres, standby: PrivatePostgres): Promise<Gap> {
  const fromMs = Date.now()
  await primary.kill()
  await standby.promote()
  const promoteMs = Date.now() - fromMs
  const before = run.publisher.rows.length
  await waitUntil('a write is acknowledged', DEADLINE_MS, () => run.publisher.lastAckMs() > fromMs + promoteMs)
  const writeMs = run.publisher.longestGapMs(fromMs)
  const later = () => new Set(run.publisher.rows.slice(before).map(({ id }) => id))
  await waitUntil('an event is delivered', DEADLINE_MS, () => {
    const ids = later()
    return run.webhooks.some(({ number }) => run.receivers.arrivals(number).some(({ id }) => ids.has(id)))
  })
  const toMs = Date.now()
  return { fault: { fromMs, toMs: toMs + 5000 }, promoteMs, writeMs, deliveryMs: toMs - fromMs }
}

function faultLog(gaps: readonly Gap[]): FaultLog {
  const counts = { worker: 0, api: 0, redis: 0, postgres: gaps.length, frozen: 0 }
  return { counts, worker: [], frozen: [], api: [], postgres: gaps.map(({ fault }) => fault) }
}
