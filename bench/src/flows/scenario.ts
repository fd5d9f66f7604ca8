import { hundredths, median, medianRatio, type Scenario, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { openRegionMeters, perCallOfAll, type RegionMeters } from '../region-cpu.ts'
import { openBare } from './bare.ts'
import { type GrowthSize, measureGrowth } from './growth.ts'
import { type Site, type Started, startRuns, startSite, takeTurns } from './site.ts'

interface Size extends GrowthSize {
  /** Of a person and a company. */
  readonly pairs: number
  readonly samples: number
}

const WARM_UPS = 3

/**
 * The start of a run, the company's turn and a customer's turn with 32 callers, in both regions and with everything that
 * follows, against the bare statements, messages and checks; and what a million finished runs add.
 */
export const flowsScenario: Scenario<Size> = {
  name: 'flows',
  about: 'CPU of triggers and turns of runs against the bare steps, and beside a million finished runs',
  sizes: {
    small: { pairs: 4, samples: 5, calls: 32, runs: 20_000, growthSamples: 4 },
    full: { pairs: 16, samples: 25, calls: 160, runs: 1_000_000, growthSamples: 15 },
  },
  bars: [
    { figure: 'trigger_to_bare', atMost: 2.5, small: 3.5 },
    { figure: 'own_turn_to_bare', atMost: 2.5, small: 3.5 },
    { figure: 'turn_to_bare', atMost: 2.5, small: 3.5 },
    { figure: 'trigger_growth', atMost: 1.3, small: 2 },
    { figure: 'turn_growth', atMost: 1.3, small: 2 },
  ],
  async run(context, size) {
    const site = await startSite(context, size.pairs)
    const meters = await openRegionMeters(context, site.installation)
    const costs = await measureCosts(context, site, meters, size)
    const growth = await measureGrowth(context, site, meters, size)
    const found = { ...costs, runs: size.runs, ...growth }
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, hundredths(value)]))
  },
}

async function measureCosts(context: ScenarioContext, site: Site, meters: RegionMeters, { samples, calls }: Size) {
  const bare = await openBare(context, site)
  const ours = (run: () => Promise<unknown>): Promise<number> => perCallOfAll([meters.eu, meters.us], calls, run)
  /** In the order of a run, on either side. */
  const inOrder = {
    async ours() {
      let runs: readonly Started[] = []
      const trigger = await ours(async () => {
        runs = await startRuns(site, calls)
      })
      const own = await ours(() => takeTurns(site, 'ask', runs))
      return { trigger, own, turn: await ours(() => takeTurns(site, 'tell', runs)) }
    },
    bare: async () => ({
      trigger: await bare('start', calls),
      own: await bare('ask', calls),
      turn: await bare('tell', calls),
    }),
  }
  const costs = await alternate(inOrder, {
    samples,
    warmUps: WARM_UPS,
    onSample(number, values) {
      const printed = Object.entries(values).map(
        ([name, { trigger, own, turn }]) =>
          `${name} ${trigger.toFixed(0)}, ${own.toFixed(0)} and ${turn.toFixed(0)} µs`,
      )
      context.progress(`sample ${number} of ${samples}: ${printed.join('; ')}`)
    },
  })
  const of = (side: 'ours' | 'bare', call: 'trigger' | 'own' | 'turn') => costs[side].map((one) => one[call])
  return {
    trigger_us: median(of('ours', 'trigger')),
    own_turn_us: median(of('ours', 'own')),
    turn_us: median(of('ours', 'turn')),
    trigger_to_bare: medianRatio(of('ours', 'trigger'), of('bare', 'trigger')),
    own_turn_to_bare: medianRatio(of('ours', 'own'), of('bare', 'own')),
    turn_to_bare: medianRatio(of('ours', 'turn'), of('bare', 'turn')),
  }
}
