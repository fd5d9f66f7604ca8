import type { Scenario, ScenarioContext } from '@sealpost/testkit'
import { median } from '../cpu.ts'
import { requestTokens, type Spent, startTargets, type Target, type Targets } from './targets.ts'
import { measureVerification } from './verification.ts'

const SMALL = { tokens: 1000, rounds: 16, warmUp: 8000, calls: 2000, callRounds: 5 }
const FULL = { tokens: 2000, rounds: 40, warmUp: 6000, calls: 20_000, callRounds: 9 }

/**
 * What a token costs above the engine that makes it: CPU of the front door and of its database backends against the
 * engine alone with everything in memory, in interleaved rounds of one run. Only ratios are judged: the machine is shared.
 */
export const tokenScenario: Scenario = {
  name: 'token',
  about:
    'CPU per client_credentials token against the bare OAuth engine; a data call with a known and with a new token',
  bars: [{ figure: 'ratio', atMost: 1.5 }],
  smallBars: [{ figure: 'ratio', atMost: 1.75 }],
  async run(context) {
    const size = context.isSmall ? SMALL : FULL
    const targets = await startTargets(context)
    context.progress('warming up')
    for (const { url } of [targets.ours, targets.bare]) await requestTokens(url, targets.forms, size.warmUp)
    const rounds: Round[] = []
    for (let round = 1; round <= size.rounds; round += 1) {
      const measured = await measureBoth(targets, round % 2 === 0, size.tokens)
      rounds.push(measured)
      context.progress(`round ${round} of ${size.rounds}: ${describe(measured)}`)
    }
    const verification = await measureVerification(context, targets.installation, size)
    return { ...figures(rounds, context), ...verification }
  },
}

interface Round {
  readonly ours: Spent
  readonly bare: Spent
}

/** Short rounds, in turn the one or the other first: what else the machine does then falls on both. */
async function measureBoth({ ours, bare, forms }: Targets, isOursFirst: boolean, tokens: number): Promise<Round> {
  if (isOursFirst) return { ours: await measure(ours, forms, tokens), bare: await measure(bare, forms, tokens) }
  return { bare: await measure(bare, forms, tokens), ours: await measure(ours, forms, tokens) }
}

/** Per token. */
async function measure(target: Target, forms: readonly string[], tokens: number): Promise<Spent> {
  const before = await target.spent()
  await requestTokens(target.url, forms, tokens)
  const after = await target.spent()
  const share = (of: keyof Spent) => (after[of] - before[of]) / tokens
  return { process: share('process'), database: share('database'), redis: share('redis') }
}

function figures(rounds: readonly Round[], context: ScenarioContext): Record<string, number> {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const found = {
    ratio: of(({ ours, bare }) => cost(ours) / cost(bare)),
    ratio_with_redis: of(({ ours, bare }) => (cost(ours) + ours.redis) / cost(bare)),
    bare_us: of(({ bare }) => bare.process),
    process_us: of(({ ours }) => ours.process),
    database_us: of(({ ours }) => ours.database),
    redis_us: of(({ ours }) => ours.redis),
    tokens_per_cpu_second: 1e6 / of(({ ours }) => cost(ours)),
    bare_tokens_per_cpu_second: 1e6 / of(({ bare }) => cost(bare)),
  }
  context.progress(
    `ours ${found.tokens_per_cpu_second.toFixed(0)} tokens per CPU second, bare ${found.bare_tokens_per_cpu_second.toFixed(0)}`,
  )
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, rounded(value)]))
}

function describe({ ours, bare }: Round): string {
  const [process, database, redis, alone] = [ours.process, ours.database, ours.redis, bare.process].map((us) =>
    us.toFixed(0),
  )
  return `ours ${process} + ${database} µs in the database (and ${redis} in Redis), bare ${alone} µs`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** Redis is told apart: it serves everything at once, on a core of its own. */
function cost({ process, database }: Spent): number {
  return process + database
}
