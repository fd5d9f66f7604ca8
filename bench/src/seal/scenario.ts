import { hundredths, median, medianRatio, type Scenario, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { measureGrowth } from './growth.ts'
import { medianStep, openSides, totalOf } from './programs.ts'

interface Size {
  readonly samples: number
  readonly documents: number
  readonly growthSamples: number
  /** Acts and pages per sample. */
  readonly calls: number
}

const PAGES = 20
const MOST_PAGES = 300

/**
 * A seal in a child of its own against the same library steps in one process, and what the number of documents costs: a
 * page of the list and a signature with a million documents of the service against the same with none.
 */
export const sealScenario: Scenario<Size> = {
  name: 'seal',
  about: 'CPU of sealing a PDF of 20 pages against the bare steps; lists and signatures beside a million documents',
  sizes: {
    small: { samples: 5, documents: 20_000, growthSamples: 5, calls: 10 },
    full: { samples: 25, documents: 1_000_000, growthSamples: 15, calls: 20 },
  },
  bars: [
    { figure: 'warm_to_bare', atLeast: 0.5, small: 0.3 },
    { figure: 'cold_to_bare', atLeast: 0.5, small: 0.3 },
    { figure: 'pages_growth', atMost: MOST_PAGES / PAGES },
    { figure: 'list_growth', atMost: 1.3, small: 2 },
    { figure: 'signature_growth', atMost: 1.3, small: 2 },
  ],
  async run(context, size) {
    const sealing = await measureSealing(context, size.samples)
    const growth = await measureGrowth(context, size)
    const found = { ...sealing, documents: size.documents, ...growth }
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, hundredths(value)]))
  },
}

async function measureSealing(context: ScenarioContext, samples: number) {
  const sides = await openSides(context, PAGES)
  context.progress('both sides are warm')
  const costs = await alternate(
    {
      warm: () => sides.ownWarm(PAGES),
      cold: () => sides.ownCold(PAGES),
      long: () => sides.ownWarm(MOST_PAGES),
      bareHot: async () => totalOf(await sides.bareHot(PAGES)),
      bareLoaded: async () => totalOf(await sides.bareLoaded(PAGES)),
      bareCold: () => sides.bareCold(PAGES),
    },
    {
      samples,
      onSample(number, values) {
        const printed = Object.entries(values).map(([name, value]) => `${name} ${(value / 1000).toFixed(0)}`)
        context.progress(`sample ${number} of ${samples}: ${printed.join(', ')} ms`)
      },
    },
  )
  const steps = []
  for (let sample = 0; sample < samples; sample += 1) steps.push(await sides.bareLoaded(PAGES))
  return {
    pages: PAGES,
    warm_ms: median(costs.warm) / 1000,
    cold_ms: median(costs.cold) / 1000,
    read_ms: medianStep(steps, 'read') / 1000,
    draw_ms: medianStep(steps, 'draw') / 1000,
    sign_ms: medianStep(steps, 'sign') / 1000,
    warm_to_bare: medianRatio(costs.bareLoaded, costs.warm),
    cold_to_bare: medianRatio(costs.bareCold, costs.cold),
    warm_to_hot_process: medianRatio(costs.bareHot, costs.warm),
    pages_growth: medianRatio(costs.long, costs.warm),
  }
}
