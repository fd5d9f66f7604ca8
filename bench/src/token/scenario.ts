import { hundredths, median, medianRatio, type Scenario, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { type CpuTime, requestTokens, startTargets, type Target } from './targets.ts'
import { measureVerification, type VerificationSize } from './verification.ts'

interface Size extends VerificationSize {
  readonly tokens: number
  readonly samples: number
  readonly warmUp: number
}

/**
 * The cost of a token above the engine that makes it: CPU of the front door and of its database backends against the engine
 * alone with everything in memory. The bar is a ratio, because the machine is shared.
 */
export const tokenScenario: Scenario<Size> = {
  name: 'token',
  about:
    'CPU per client_credentials token against the bare OAuth engine; a data call with a known and with a new token',
  sizes: {
    small: { tokens: 1000, samples: 5, warmUp: 2000, calls: 2000, callSamples: 3 },
    full: { tokens: 2000, samples: 40, warmUp: 6000, calls: 20_000, callSamples: 9 },
  },
  bars: [{ figure: 'ratio', atMost: 1.5, small: 1.75 }],
  async run(context, size) {
    const targets = await startTargets(context)
    const { ours, bare, forms } = targets
    context.progress('warming up')
    for (const { url } of [ours, bare]) await requestTokens(url, forms, size.warmUp)
    const measures = {
      bare: () => measure(bare, forms, size.tokens),
      ours: () => measure(ours, forms, size.tokens),
    }
    const costs = await alternate(measures, {
      samples: size.samples,
      onSample: (number, sample) => context.progress(`sample ${number} of ${size.samples}: ${describe(sample)}`),
    })
    const verification = await measureVerification(context, targets.installation, size)
    return { ...figures(costs, context), ...verification }
  },
}

interface Sample {
  readonly ours: CpuTime
  readonly bare: CpuTime
}

/** Per token. */
async function measure(target: Target, forms: readonly string[], tokens: number): Promise<CpuTime> {
  const before = await target.used()
  await requestTokens(target.url, forms, tokens)
  const after = await target.used()
  const perToken = (of: keyof CpuTime) => (after[of] - before[of]) / tokens
  return { process: perToken('process'), database: perToken('database'), redis: perToken('redis') }
}

function figures(
  costs: { readonly ours: readonly CpuTime[]; readonly bare: readonly CpuTime[] },
  context: ScenarioContext,
): Record<string, number> {
  const [ours, bare] = [costs.ours.map(costOf), costs.bare.map(costOf)]
  const withRedis = costs.ours.map((cost) => costOf(cost) + cost.redis)
  const found = {
    ratio: medianRatio(ours, bare),
    ratio_with_redis: medianRatio(withRedis, bare),
    bare_us: median(bare),
    process_us: median(costs.ours.map(({ process }) => process)),
    database_us: median(costs.ours.map(({ database }) => database)),
    redis_us: median(costs.ours.map(({ redis }) => redis)),
    tokens_per_cpu_second: 1e6 / median(ours),
    bare_tokens_per_cpu_second: 1e6 / median(bare),
  }
  context.progress(
    `ours ${found.tokens_per_cpu_second.toFixed(0)} tokens per CPU second, bare ${found.bare_tokens_per_cpu_second.toFixed(0)}`,
  )
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, hundredths(value)]))
}

function describe({ ours, bare }: Sample): string {
  const [process, database, redis, alone] = [ours.process, ours.database, ours.redis, bare.process].map((us) =>
    us.toFixed(0),
  )
  return `ours ${process} + ${database} µs in the database (and ${redis} in Redis), bare ${alone} µs`
}

/** Without Redis, which is reported separately: it serves all processes, on its own core. */
function costOf({ process, database }: CpuTime): number {
  return process + database
}
