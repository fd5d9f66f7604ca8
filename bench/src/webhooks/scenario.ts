import { median, medianRatio, type Scenario, type ScenarioContext, withClient } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { meterBackends } from '../engine-cpu.ts'
import { openLineProgram } from '../line-program.ts'
import { perCall } from '../region-cpu.ts'
import { POOL, startWebhookSite, type WebhookSite } from './site.ts'

interface Size {
  /** With ten webhooks each. */
  readonly services: number
  /** Per webhook and sample. */
  readonly events: number
  /** Even: the first sample measures the worker, whose events the bare loop sends afterwards. */
  readonly warmUps: number
  readonly samples: number
}

/**
 * Events per CPU second that one worker delivers to a sink on this machine, which is not measured, against a loop that only
 * reads rows, signs and POSTs, with as many senders and database connections.
 */
export const webhooksScenario: Scenario<Size> = {
  name: 'webhooks',
  about: 'events that one worker delivers per CPU second, against a bare loop of POSTs',
  sizes: {
    small: { services: 5, events: 40, warmUps: 2, samples: 3 },
    full: { services: 20, events: 50, warmUps: 4, samples: 15 },
  },
  bars: [{ figure: 'rate_to_bare', atLeast: 0.6, small: 0.35 }],
  async run(context, size) {
    const site = await startWebhookSite(context, size.services)
    const measures = { ours: await openWorker(context, site, size), bare: await openBare(context, site, size) }
    const costs = await alternate(measures, {
      samples: size.samples,
      warmUps: size.warmUps,
      onSample(number, { ours, bare }) {
        const printed = `${ours.toFixed(0)}, bare ${bare.toFixed(0)} µs an event`
        context.progress(`sample ${number} of ${size.samples}: ${printed}`)
      },
    })
    const [event_us, bare_us] = [Math.round(median(costs.ours)), Math.round(median(costs.bare))]
    return {
      webhooks: site.webhooks,
      events_a_sample: site.webhooks * size.events,
      event_us,
      bare_us,
      delivered_per_cpu_second: Math.round(1e6 / event_us),
      bare_per_cpu_second: Math.round(1e6 / bare_us),
      rate_to_bare: medianRatio(costs.bare, costs.ours),
    }
  },
}

/** Microseconds of CPU per delivery. */
type Measure = () => Promise<number>

async function openWorker(context: ScenarioContext, site: WebhookSite, { events }: Size): Promise<Measure> {
  const backends = await meterBackends(site.databaseUrl, 'sealpost-region-eu')
  context.onEnd(() => backends.close())
  const meter = { pid: () => site.worker.pid(), backends, idlePerMs: 0 }
  const deliveries = site.webhooks * events
  return async () => {
    const before = await site.received()
    const cost = await perCall(meter, deliveries, async () => {
      await site.add(events)
      await site.delivered()
    })
    const received = (await site.received()) - before
    if (received !== deliveries) throw new Error(`${received} of ${deliveries} deliveries arrived`)
    return cost
  }
}

async function openBare(context: ScenarioContext, site: WebhookSite, { events }: Size): Promise<Measure> {
  const { databaseUrl, webhooks } = site
  await withClient(databaseUrl, async (client) => {
    await client.query('create schema bench')
    await client.query(
      'create table bench.queue (id bigint generated always as identity primary key, sender integer, event_id uuid, event jsonb)',
    )
    await client.query('create index queue_sender on bench.queue (sender, id)')
  })
  const environment = { DATABASE_URL: databaseUrl, DATABASE_POOL: POOL }
  const program = openLineProgram(context, new URL('bare-loop.ts', import.meta.url), environment)
  await program.send('')
  const backends = await meterBackends(databaseUrl, 'bench-bare')
  context.onEnd(() => backends.close())
  const meter = { pid: program.pid, backends, idlePerMs: 0 }
  const deliveries = webhooks * events
  return async () => {
    await fillQueue(databaseUrl, webhooks, events)
    const cost = await perCall(meter, deliveries, async () => {
      const answer = await program.send(`${site.sinkUrl} ${webhooks}`)
      if (answer !== `done ${deliveries}`) throw new Error(`the bare loop answered ${answer}`)
    })
    return cost
  }
}

/** Queues the same events once per webhook. */
async function fillQueue(databaseUrl: string, senders: number, events: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `insert into bench.queue (sender, event_id, event)
      select sender, e.id, e.payload || jsonb_build_object('id', e.id, 'event', e.kind, 'at', e.at,
        'connection_id', e.connection_id, 'service_id', e.owner_id)
      from (select * from feed.event order by owner_id, no desc limit $2) as e, generate_series(0, $1::int - 1) as sender
      order by e.no, sender`,
      [senders, events],
    )
    await client.query('vacuum (analyze) bench.queue')
  })
}
