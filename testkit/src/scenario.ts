/** A measurement or a fault run: what it is, what it must reach, and how it is run. */
export interface Scenario {
  readonly name: string
  readonly about: string
  readonly bars: readonly Bar[]
  /** Wider ones for the small size, where few rounds on a shared machine must not decide; the same unless told. */
  readonly smallBars?: readonly Bar[]
  run(context: ScenarioContext): Promise<Figures>
}

/** A figure that a run must reach; missing it makes the command fail. */
export interface Bar {
  readonly figure: string
  readonly atLeast?: number
  readonly atMost?: number
}

export type Figures = Readonly<Record<string, number | string>>

export interface ScenarioContext {
  /** CI runs the small size; the command without flags the full one. */
  readonly isSmall: boolean
  progress(line: string): void
  /** Runs at the end, also after a failure, Ctrl-C or SIGTERM, last in first out. */
  onEnd(act: () => Promise<void>): void
}

/** `npm run chaos -- NAME [--small]`: progress on the way, one closing line `NAME: key=value …`, exit 1 when a bar is missed. */
export async function runScenario(scenarios: readonly Scenario[], args: readonly string[]): Promise<number> {
  const name = args.find((arg) => !arg.startsWith('--'))
  const scenario = scenarios.find((candidate) => candidate.name === name)
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--small')
  if (scenario === undefined || unknown !== undefined) {
    printChoice(scenarios, unknown ?? name)
    return 2
  }
  const ends: (() => Promise<void>)[] = []
  const clean = () => runEnds(ends)
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => void clean().then(() => process.exit(code)))
  const startedAt = performance.now()
  const context: ScenarioContext = {
    isSmall: args.includes('--small'),
    progress: (line) => console.log(`${secondsSince(startedAt)}  ${line}`),
    onEnd: (act) => void ends.push(act),
  }
  try {
    const figures = await scenario.run(context)
    await clean()
    const bars = context.isSmall ? (scenario.smallBars ?? scenario.bars) : scenario.bars
    return report(scenario, bars, { ...figures, seconds: Math.round((performance.now() - startedAt) / 1000) })
  } catch (error) {
    await clean()
    console.error(error)
    console.log(`${scenario.name}: failed=1`)
    return 1
  }
}

function report({ name }: Scenario, bars: readonly Bar[], figures: Figures): number {
  const missed = bars.filter((bar) => !reaches(bar, figures[bar.figure]))
  for (const bar of missed)
    console.error(`bar missed: ${bar.figure} is ${figures[bar.figure]}, expected ${expectation(bar)}`)
  const pairs = Object.entries(figures).map(([key, value]) => `${key}=${value}`)
  console.log(`${name}: ${pairs.join(' ')} bars=${missed.length === 0 ? 'reached' : 'missed'}`)
  return missed.length === 0 ? 0 : 1
}

function reaches(bar: Bar, value: number | string | undefined): boolean {
  if (typeof value !== 'number' || Number.isNaN(value)) return false
  return value >= (bar.atLeast ?? Number.NEGATIVE_INFINITY) && value <= (bar.atMost ?? Number.POSITIVE_INFINITY)
}

function expectation(bar: Bar): string {
  const parts = [
    bar.atLeast === undefined ? '' : `at least ${bar.atLeast}`,
    bar.atMost === undefined ? '' : `at most ${bar.atMost}`,
  ]
  return parts.filter((part) => part !== '').join(' and ')
}

function printChoice(scenarios: readonly Scenario[], given: string | undefined): void {
  if (given !== undefined) console.error(`there is no ${given}\n`)
  console.error('choose one, with --small for a quick run:')
  for (const { name, about } of scenarios) console.error(`  ${name.padEnd(12)} ${about}`)
}

async function runEnds(ends: (() => Promise<void>)[]): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop())
    await end().catch((error: unknown) => console.error(error))
}

function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`
}
