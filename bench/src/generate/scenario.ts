import { join } from 'node:path'
import { hundredths, median, medianRatio, type Scenario, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { openLineProgram } from '../line-program.ts'
import { bundlePrograms, runOnce } from '../pdf-programs.ts'
import { PAGES, TAGS } from './contract.ts'
import { type GrowthSize, measureGrowth } from './growth.ts'

interface Size extends GrowthSize {
  readonly samples: number
}

/**
 * A template of ten pages filled in a child of its own against the same library steps in one process; and what a million
 * finished runs add to a generate call.
 */
export const generateScenario: Scenario<Size> = {
  name: 'generate',
  about:
    'CPU of filling a template of 10 pages with 40 tags against the bare steps, and beside a million finished runs',
  sizes: {
    small: { samples: 5, runs: 20_000, growthSamples: 4, contracts: 4 },
    full: { samples: 25, runs: 1_000_000, growthSamples: 15, contracts: 8 },
  },
  bars: [
    { figure: 'fill_warm_to_bare', atLeast: 0.5, small: 0.3 },
    { figure: 'fill_cold_to_bare', atLeast: 0.5, small: 0.3 },
    { figure: 'generate_growth', atMost: 1.3, small: 2 },
  ],
  async run(context, size) {
    const found = { ...(await measureFilling(context, size.samples)), ...(await measureGrowth(context, size)) }
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, hundredths(value)]))
  },
}

interface Steps {
  readonly read: number
  readonly fill: number
  readonly sinceStart: number
}

async function measureFilling(context: ScenarioContext, samples: number) {
  const bundled = await bundlePrograms('generate', {
    'bare-fill': join(import.meta.dirname, 'bare-fill.ts'),
    'own-fill': join(import.meta.dirname, 'own-fill.ts'),
  })
  const own = openLineProgram(context, bundled('own-fill'), {})
  // The first file of a process that has loaded its code, as a waiting child has.
  const bare = async (): Promise<Steps> => readSteps(await runOnce(bundled('bare-fill'), 'fill'))
  const costs = await alternate(
    {
      warm: async () => Number(await own.send('warm')),
      cold: async () => Number(await own.send('cold')),
      bareLoaded: async () => totalOf(await bare()),
      bareCold: async () => (await bare()).sinceStart,
    },
    {
      samples,
      onSample(number, values) {
        const printed = Object.entries(values).map(([name, value]) => `${name} ${(value / 1000).toFixed(0)}`)
        context.progress(`sample ${number} of ${samples}: ${printed.join(', ')} ms`)
      },
    },
  )
  return {
    pages: PAGES,
    tags: TAGS,
    fill_warm_ms: median(costs.warm) / 1000,
    fill_cold_ms: median(costs.cold) / 1000,
    fill_warm_to_bare: medianRatio(costs.bareLoaded, costs.warm),
    fill_cold_to_bare: medianRatio(costs.bareCold, costs.cold),
  }
}

function totalOf({ read, fill }: Steps): number {
  return read + fill
}

function readSteps(answer: string): Steps {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by bare-fill.ts
  return JSON.parse(answer) as Steps
}
