import { type Figures, median, medianRatio, type Scenario, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { measureHints, type CrowdSize } from './crowded-hints.ts'
import { type ApprovalSite, startApprovalSite } from './site.ts'
import { CALLERS, openBareTarget, openRegionTarget } from './targets.ts'

interface Size extends CrowdSize {
  /** Per caller and sample. */
  readonly challenges: number
  readonly warmUps: number
  readonly samples: number
}

/**
 * The cost of a login that a person approves, against a program that does only the steps in Redis, PostgreSQL and NATS and
 * writes to the open streams; and the time from the challenge to the hint on a process that has very many streams open.
 */
export const approvalScenario: Scenario<Size> = {
  name: 'approval',
  about: 'CPU of an approved login against its bare steps; time to its hint among ten thousand streams',
  sizes: {
    small: { challenges: 8, warmUps: 2, samples: 5, streams: 500, hints: 50 },
    full: { challenges: 20, warmUps: 4, samples: 15, streams: 10_000, hints: 300 },
  },
  bars: [
    { figure: 'cpu_to_bare', atMost: 2.5, small: 3.5 },
    { figure: 'median_growth', atMost: 1.5, small: 2 },
    { figure: 'p99_growth', atMost: 3, small: 6 },
  ],
  async run(context, size) {
    const site = await startApprovalSite(context)
    const costs = await measureCosts(context, site, size)
    return { ...costs, ...(await measureHints(context, site, size)) }
  },
}

async function measureCosts(context: ScenarioContext, site: ApprovalSite, size: Size): Promise<Figures> {
  const [ours, bare] = [await openRegionTarget(context, site), await openBareTarget(context, site)]
  const costs = await alternate(
    { ours: () => ours.measure(size.challenges), bare: () => bare.measure(size.challenges) },
    {
      warmUps: size.warmUps,
      samples: size.samples,
      onSample(number, values) {
        const printed = `${values.ours.toFixed(0)}, bare ${values.bare.toFixed(0)} µs a login`
        context.progress(`sample ${number} of ${size.samples}: ${printed}`)
      },
    },
  )
  await Promise.all([ours.close(), bare.close()])
  return {
    logins_a_sample: CALLERS * size.challenges,
    login_us: Math.round(median(costs.ours)),
    bare_us: Math.round(median(costs.bare)),
    cpu_to_bare: medianRatio(costs.ours, costs.bare),
  }
}
