import { northwind, type ScenarioContext } from '@sealpost/testkit'
import { meterBackends } from '../engine-cpu.ts'
import { openLineProgram } from '../line-program.ts'
import { databaseUrlOf, perCall } from '../region-cpu.ts'
import type { BarePlan } from './plan.ts'
import { plannedOf, POOL, type Site } from './site.ts'

/** Microseconds of CPU per call of the bare side. */
export type Bare = (command: 'start' | 'ask' | 'tell', calls: number) => Promise<number>

export async function openBare(context: ScenarioContext, site: Site): Promise<Bare> {
  const { installation, flowId, pairs, value } = site
  const [nats] = installation.nats
  if (nats === undefined) throw new Error('the installation has no NATS server of its own')
  const databases = { eu: databaseUrlOf(installation, 'eu'), us: databaseUrlOf(installation, 'us') }
  const plan: BarePlan = {
    databases,
    pool: POOL,
    nats: { url: nats.url, key: nats.observer.reveal() },
    companyId: northwind.companyId,
    serviceId: northwind.serviceId,
    flowId,
    pairs: pairs.map(({ customer, partner }) => ({ customer: plannedOf(customer), partner: plannedOf(partner) })),
    value,
  }
  const { pid, send } = openLineProgram(context, new URL('bare-runs.ts', import.meta.url), {
    PLAN: JSON.stringify(plan),
  })
  // Opens its connections, so that their backends are metered from the start.
  await send('start 0')
  const [eu, us] = [await meterBackends(databases.eu, 'bench-bare'), await meterBackends(databases.us, 'bench-bare')]
  context.onEnd(async () => void (await Promise.all([eu.close(), us.close()])))
  const meter = {
    pid,
    backends: {
      microseconds: async () => (await eu.microseconds()) + (await us.microseconds()),
      close: () => eu.close(),
    },
    idlePerMs: 0,
  }
  return (command, calls) =>
    perCall(meter, calls, async () => {
      const answer = await send(`${command} ${calls}`)
      if (answer !== `done ${calls}`) throw new Error(`the bare side answered ${answer}`)
    })
}
