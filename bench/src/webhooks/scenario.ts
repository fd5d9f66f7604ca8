import type { Scenario, ScenarioContext } from '@sealpost/testkit'
import { meterBackends } from '../engine-cpu.ts'
import { medianRatio, typical } from '../feed/figures.ts'
import { withClient } from '../feed/seed.ts'
import { perCall } from '../region-cpu.ts'
import { openToldProgram } from '../told-program.ts'
import { type HookSite, POOL, startHookSite } from './site.ts'

interface Size {
  /** With ten webhooks each. */
  readonly services: number
  /** For each webhook and round. */
  readonly events: number
  readonly rounds: number
}

const SMALL: Size = { services: 5, events: 40, rounds: 7 }
const FULL: Size = { services: 20, events: 50, rounds: 15 }
// Even: the first one is ours, whose events the bare loop gets afterwards.
const WARM_UP_ROUNDS = 4

/**
 * Events delivered per CPU second by one worker to a sink on this machine, which is not counted, against a loop that
 * knows nothing but rows, signatures and POSTs: as many at the same time, as many connections to the database.
 */
export const webhooksScenario: Scenario = {
  name: 'webhooks',
  about: 'events that one worker delivers per CPU second, against a bare loop of POSTs',
  bars: [{ figure: 'rate_to_bare', atLeast: 0.6 }],
  smallBars: [{ figure: 'rate_to_bare', atLeast: 0.35 }],
  async run(context) {
    const size = context.isSmall ? SMALL : FULL
    const site = await startHookSite(context, size.services)
    const worker = await openWorker(context, site, size)
    const bare = await openBare(context, site, size)
    const [ours, loops]: [number[], number[]] = [[], []]
    for (let round = -WARM_UP_ROUNDS; round < size.rounds; round += 1) {
      const [one, other] = round % 2 === 0 ? [worker, bare] : [bare, worker]
      const [first, second] = [await one(), await other()]
      const [oursCost, bareCost] = round % 2 === 0 ? [first, second] : [second, first]
      if (round < 0) continue
      ours.push(oursCost)
      loops.push(bareCost)
      context.progress(
        `round ${round + 1} of ${size.rounds}: ${oursCost.toFixed(0)}, bare ${bareCost.toFixed(0)} µs an event`,
      )
    }
    return {
      webhooks: site.webhooks,
      events_a_round: site.webhooks * size.events,
      event_us: typical(ours),
      bare_us: typical(loops),
      delivered_per_cpu_second: Math.round(1e6 / typical(ours)),
      bare_per_cpu_second: Math.round(1e6 / typical(loops)),
      rate_to_bare: medianRatio(loops, ours),
    }
  },
}

/** Microseconds of CPU for each delivery. */
type Measure = () => Promise<number>

async function openWorker(context: ScenarioContext, site: HookSite, { events }: Size): Promise<Measure> {
  const backends = await meterBackends(site.databaseUrl, 'sealpost-region-eu')
  context.onEnd(() => backends.close())
  const spender = { pid: () => site.worker.pid(), backends, choresPerMs: 0 }
  const deliveries = site.webhooks * events
  return async () => {
    const before = await site.received()
    const cost = await perCall(spender, deliveries, async () => {
      await site.add(events)
      await site.delivered()
    })
    const came = (await site.received()) - before
    if (came !== deliveries) throw new Error(`${deliveries} deliveries were made and ${came} came`)
    return cost
  }
}

async function openBare(context: ScenarioContext, site: HookSite, { events }: Size): Promise<Measure> {
  const { databaseUrl, webhooks } = site
  await withClient(databaseUrl, async (client) => {
    await client.query('create schema bench')
    await client.query(
      'create table bench.queue (id bigint generated always as identity primary key, lane integer, event_id uuid, event jsonb)',
    )
    await client.query('create index queue_lane on bench.queue (lane, id)')
  })
  const environment = { DATABASE_URL: databaseUrl, DATABASE_POOL: POOL }
  const program = openToldProgram(context, new URL('bare-loop.ts', import.meta.url), environment)
  await program.order('')
  const backends = await meterBackends(databaseUrl, 'bench-bare')
  context.onEnd(() => backends.close())
  const spender = { pid: program.pid, backends, choresPerMs: 0 }
  const deliveries = webhooks * events
  return async () => {
    await fillQueue(databaseUrl, webhooks, events)
    const cost = await perCall(spender, deliveries, async () => {
      const said = await program.order(`${site.sinkUrl} ${webhooks}`)
      if (said !== `done ${deliveries}`) throw new Error(`the bare loop says ${said}`)
    })
    return cost
  }
}

/** The same events, each once for every webhook. */
async function fillQueue(databaseUrl: string, lanes: number, events: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `insert into bench.queue (lane, event_id, event)
      select lane, e.id, e.payload || jsonb_build_object('id', e.id, 'event', e.kind, 'at', e.at,
        'connection_id', e.connection_id, 'service_id', e.owner_id)
      from (select * from feed.event order by owner_id, no desc limit $2) as e, generate_series(0, $1::int - 1) as lane
      order by e.no, lane`,
      [lanes, events],
    )
    await client.query('vacuum (analyze) bench.queue')
  })
}
