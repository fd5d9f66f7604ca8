import { medianRatio, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { besideRuns, measureReference } from '../flows/growth.ts'
import { startSite } from '../flows/site.ts'
import { openRegionMeters, perCallOfAll } from '../region-cpu.ts'
import { generateContracts, publishContract, startContracts } from './contracts.ts'

export interface GrowthSize {
  readonly runs: number
  readonly growthSamples: number
  /** Contracts per sample. */
  readonly contracts: number
}

const PAIRS = 2
const REFERENCE_CALLS = 40
const WARM_UPS = 2

/**
 * The cost of a generate call beside many finished runs, in units of a call that reads none. The process that fills the
 * template is not counted: it reads no table.
 */
export async function measureGrowth(context: ScenarioContext, { runs, growthSamples: samples, contracts }: GrowthSize) {
  const site = await startSite(context, PAIRS)
  const flowId = await publishContract(site)
  const { eu, us } = await openRegionMeters(context, site.installation)
  const { beside, alone } = await besideRuns(context, site, runs, (title) =>
    alternate(
      {
        async generate() {
          const ids = await startContracts(site, flowId, contracts)
          return perCallOfAll([eu, us], contracts, () => generateContracts(site, ids))
        },
        reference: () => measureReference(site, eu, REFERENCE_CALLS * contracts),
      },
      {
        samples,
        warmUps: WARM_UPS,
        onSample(number, costs) {
          const printed = `generate ${costs.generate.toFixed(0)}, reference ${costs.reference.toFixed(0)} µs`
          context.progress(`${title}, sample ${number} of ${samples}: ${printed}`)
        },
      },
    ),
  )
  const growth = medianRatio(beside.generate, beside.reference) / medianRatio(alone.generate, alone.reference)
  return { runs, generate_growth: growth }
}
