import { medianRatio, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { type CpuMeter, databaseUrlOf, perCall, perCallOfAll, type RegionMeters } from '../region-cpu.ts'
import { inParallel } from './plan.ts'
import { openSeeds } from './seed.ts'
import { type Site, startRuns, takeTurns } from './site.ts'

export interface GrowthSize {
  readonly runs: number
  readonly growthSamples: number
  /** Triggers and turns per sample. */
  readonly calls: number
}

const REFERENCE = '/api/company-data/whoami'
const REFERENCE_CALLS = 10
const WARM_UPS = 2

/**
 * Triggers and turns beside many finished runs of the service, and then without them, in units of a call that reads none. In
 * this order, because a process becomes faster while it runs.
 */
export async function measureGrowth(context: ScenarioContext, site: Site, meters: RegionMeters, size: GrowthSize) {
  const { beside, alone } = await besideRuns(context, site, size.runs, (title) =>
    measure(context, site, meters, size, title),
  )
  const growth = (of: 'trigger' | 'turn'): number =>
    medianRatio(beside[of], beside.reference) / medianRatio(alone[of], alone.reference)
  return { trigger_growth: growth('trigger'), turn_growth: growth('turn') }
}

/** Measures beside so many finished runs of the service, and then without them. */
export async function besideRuns<Measured>(
  context: ScenarioContext,
  site: Site,
  runs: number,
  measureOnce: (title: string) => Promise<Measured>,
): Promise<{ readonly beside: Measured; readonly alone: Measured }> {
  await finishRuns(site)
  const seeds = [
    openSeeds(databaseUrlOf(site.installation, 'eu'), 'service'),
    openSeeds(databaseUrlOf(site.installation, 'us'), 'customer'),
  ]
  for (const seed of seeds) await seed.add(runs)
  context.progress(`${runs} finished runs of the service in both regions`)
  const beside = await measureOnce('beside others')
  for (const seed of seeds) await seed.remove()
  return { beside, alone: await measureOnce('without others') }
}

/** One of them is copied. */
async function finishRuns(site: Site): Promise<void> {
  const runs = await startRuns(site, 1)
  for (const turn of ['ask', 'tell', 'confirm'] as const) await takeTurns(site, turn, runs)
}

/** Microseconds of a call that reads no run. */
export function measureReference(site: Site, meter: CpuMeter, calls: number): Promise<number> {
  return perCall(meter, calls, () => inParallel(calls, () => site.service('GET', REFERENCE)))
}

function measure(
  context: ScenarioContext,
  site: Site,
  { eu, us }: RegionMeters,
  { growthSamples: samples, calls }: GrowthSize,
  title: string,
) {
  return alternate(
    {
      trigger: () => perCallOfAll([eu, us], calls, () => startRuns(site, calls)),
      /** One of each party. */
      async turn() {
        const runs = await startRuns(site, calls)
        return perCallOfAll([eu, us], calls, async () => {
          for (const turn of ['ask', 'tell', 'confirm'] as const) await takeTurns(site, turn, runs)
        })
      },
      reference: () => measureReference(site, eu, REFERENCE_CALLS * calls),
    },
    {
      samples,
      warmUps: WARM_UPS,
      onSample(number, costs) {
        const printed = Object.entries(costs).map(([name, cost]) => `${name} ${cost.toFixed(0)}`)
        context.progress(`${title}, sample ${number} of ${samples}: ${printed.join(', ')} µs`)
      },
    },
  )
}
