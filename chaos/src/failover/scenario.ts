import { setTimeout as pause } from 'node:timers/promises'
import {
  type Bar,
  type Figures,
  type PrivatePostgres,
  type Scenario,
  type ScenarioContext,
  waitUntil,
} from '@sealpost/testkit'
import type { FaultBook } from '../delivery/faults.ts'
import type { Fault } from '../delivery/ledger.ts'
import type { Temper } from '../delivery/receivers.ts'
import { type DeliveryRun, openRun, type RunPlan, settle } from '../delivery/run.ts'
import { verify } from '../delivery/verify.ts'
import { type Edits, startEdits } from './edits.ts'

interface Size extends RunPlan {
  readonly failovers: number
}

const SITE = { workers: 2, hasStandby: true, troubleRate: 0, temperOf: (): Temper => 'good' } as const
const SMALL: Size = { ...SITE, services: 2, hooksPerService: 3, perSecond: 60, events: 1200, failovers: 1 }
const FULL: Size = { ...SITE, services: 10, hooksPerService: 5, perSecond: 150, events: 15_000, failovers: 3 }

const bars: readonly Bar[] = [
  { figure: 'not_in_database', atMost: 0 },
  { figure: 'wrong_edits', atMost: 0 },
  { figure: 'lost', atMost: 0 },
  { figure: 'out_of_balance', atMost: 0 },
  { figure: 'invented', atMost: 0 },
  { figure: 'disordered', atMost: 0 },
  { figure: 'pull_disordered', atMost: 0 },
  { figure: 'doubled_for_no_reason', atMost: 0 },
  { figure: 'queued', atMost: 0 },
  { figure: 'write_gap_ms', atMost: 30_000 },
  { figure: 'delivery_gap_ms', atMost: 60_000 },
]

const DEADLINE_MS = 90_000
const WARM_MS = 2000

/** The primary of a region dies under load and its synchronous standby takes over: nothing that was acknowledged is gone. */
export const failoverScenario: Scenario = {
  name: 'failover',
  about: 'the primary of a region is killed under load and its standby promoted: every acknowledged write is there',
  bars,
  run: (context) => runFailover(context, context.isSmall ? SMALL : FULL),
}

export async function runFailover(context: ScenarioContext, size: Size): Promise<Figures> {
  const run = await openRun(context, size)
  const edits = await startEdits(run.customer)
  context.onEnd(() => edits.end())
  const gaps = await failOverInTurn(context, run, edits, size)
  await run.publisher.done
  await edits.end()
  const settleMs = await settle(run)
  await Promise.all(run.consumers.map((consumer) => consumer.end()))
  await Promise.all(run.site.workers.map((worker) => worker.stop()))
  const verdict = await verify({ ...run, faults: faultBook(gaps) })
  return {
    failovers: gaps.length,
    events: size.events,
    edits: edits.accepted(),
    edits_unanswered: edits.counts.unanswered,
    wrong_edits: edits.counts.wrong,
    promote_ms: Math.max(...gaps.map(({ promoteMs }) => promoteMs)),
    write_gap_ms: Math.max(...gaps.map(({ writeMs }) => writeMs)),
    delivery_gap_ms: Math.max(...gaps.map(({ deliveryMs }) => deliveryMs)),
    publish_unsure: run.publisher.unsure.size,
    publish_failures: run.publisher.failures(),
    ...verdict,
    settle_seconds: Math.round(settleMs / 1000),
  }
}

interface Gap {
  readonly fault: Fault
  /** From the kill until the standby takes writes, */
  readonly promoteMs: number
  /** until the next transaction was acknowledged, */
  readonly writeMs: number
  /** and until an event that was committed afterwards had arrived. */
  readonly deliveryMs: number
}

async function failOverInTurn(
  context: ScenarioContext,
  run: DeliveryRun,
  edits: Edits,
  { events, failovers }: { readonly events: number; readonly failovers: number },
): Promise<readonly Gap[]> {
  const { postgres, standby } = run.site
  if (standby === null) throw new Error('there is no standby')
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
    // The former primary comes back as the standby of the one that replaced it.
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
  await waitUntil('writes go on', DEADLINE_MS, () => run.publisher.lastAckMs() > fromMs + promoteMs)
  const writeMs = run.publisher.longestGapMs(fromMs)
  const later = () => new Set(run.publisher.rows.slice(before).map(({ id }) => id))
  await waitUntil('deliveries go on', DEADLINE_MS, () => {
    const ids = later()
    return run.hooks.some(({ number }) => run.receivers.arrivals(number).some(({ id }) => ids.has(id)))
  })
  const toMs = Date.now()
  return { fault: { fromMs, toMs: toMs + 5000 }, promoteMs, writeMs, deliveryMs: toMs - fromMs }
}

function faultBook(gaps: readonly Gap[]): FaultBook {
  const counts = { worker: 0, api: 0, redis: 0, postgres: gaps.length, frozen: 0 }
  return { counts, worker: [], frozen: [], api: [], postgres: gaps.map(({ fault }) => fault) }
}
