/** A benchmark or a fault run: its two sizes, the bars it must reach and the function that measures. */
export interface Scenario<Size = unknown> {
  readonly name: string
  readonly about: string
  /** CI runs the small size; the command without flags runs the full one. */
  readonly sizes: { readonly small: Size; readonly full: Size }
  readonly bars: readonly Bar[]
  run(context: ScenarioContext, size: Size): Promise<Figures>
}

/** The limit of one figure; a figure beyond it makes the command fail. */
export type Bar = { readonly figure: string; readonly small?: number } & (
  | { readonly atLeast: number }
  | { readonly atMost: number }
)

/** Bars for figures that count errors. */
export function zero(...figures: readonly string[]): readonly Bar[] {
  return figures.map((figure) => ({ figure, atMost: 0 }))
}

/** Bars for figures that prove that the run exercised what it is about. */
export function atLeastOne(...figures: readonly string[]): readonly Bar[] {
  return figures.map((figure) => ({ figure, atLeast: 1 }))
}

export type Figures = Readonly<Record<string, number | string>>

export interface ScenarioContext {
  progress(line: string): void
  /** Runs at the end, also after a failure, Ctrl-C or SIGTERM, last in first out. */
  onEnd(act: () => Promise<void>): void
}

/** `npm run chaos -- NAME [--small]`: prints progress and one last line `NAME: key=value …`; exit 1 when a bar is missed. */
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
  const size = args.includes('--small') ? 'small' : 'full'
  const context: ScenarioContext = {
    progress: (line) => console.log(`${secondsSince(startedAt)}  ${line}`),
    onEnd: (act) => void ends.push(act),
  }
  try {
    const figures = await scenario.run(context, scenario.sizes[size])
    await clean()
    return report(scenario, size, { ...figures, seconds: Math.round((performance.now() - startedAt) / 1000) })
  } catch (error) {
    await clean()
    console.error(error)
    console.log(`${scenario.name}: failed=1`)
    return 1
  }
}

function report({ name, bars }: Scenario, size: 'small' | 'full', figures: Figures): number {
  const missed = bars.filter((bar) => !reaches(bar, size, figures[bar.figure]))
  for (const bar of missed)
    console.error(`bar missed: ${bar.figure} is ${figures[bar.figure]}, expected ${describeBar(bar, size)}`)
  const pairs = Object.entries(figures).map(([key, value]) => `${key}=${value}`)
  console.log(`${name}: ${pairs.join(' ')} bars=${missed.length === 0 ? 'reached' : 'missed'}`)
  return missed.length === 0 ? 0 : 1
}

function reaches(bar: Bar, size: 'small' | 'full', value: number | string | undefined): boolean {
  if (typeof value !== 'number' || Number.isNaN(value)) return false
  return 'atLeast' in bar ? value >= limitOf(bar, size) : value <= limitOf(bar, size)
}

function describeBar(bar: Bar, size: 'small' | 'full'): string {
  return `${'atLeast' in bar ? 'at least' : 'at most'} ${limitOf(bar, size)}`
}

/** `small` widens a bar for the small size, whose few samples on a shared machine vary more. */
function limitOf(bar: Bar, size: 'small' | 'full'): number {
  const full = 'atLeast' in bar ? bar.atLeast : bar.atMost
  return size === 'small' ? (bar.small ?? full) : full
}

function printChoice(scenarios: readonly Scenario[], given: string | undefined): void {
  if (given !== undefined) console.error(`unknown scenario or flag: ${given}\n`)
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

/** The mean of the two middle values for an even count; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The median of the ratios of pairs: a pair is measured at the same time, so a slow moment of the machine counts once. */
export function medianRatio(of: readonly number[], to: readonly number[]): number {
  return hundredths(median(of.map((value, index) => value / (to[index] ?? Number.NaN))))
}

/** Rounded for printing. */
export function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
