import { median, type Scenario, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { measureParallel } from './parallel.ts'
import { createSides, type Side, type Sides } from './sides.ts'

type Operation = 'seal' | 'open'

interface Size {
  readonly samples: number
  /** Operations on a small text per sample. */
  readonly operations: number
  /** Of a thousand values each, opened concurrently. */
  readonly slices: number
}

interface Text {
  readonly name: '1kb' | '5mb'
  readonly bytes: number
  readonly operations: number
}

interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

/**
 * The cost of sealing and opening above WebCrypto itself: the same primitives, imported keys, base64 on both sides,
 * alternating in one process. The bars compare CPU time of all threads, because the machine is shared; the ratio of wall time
 * is printed too.
 */
export const cryptoScenario: Scenario<Size> = {
  name: 'crypto',
  about: 'seal and open against bare WebCrypto at 1 KB and 5 MB; opening many values on all cores',
  sizes: {
    small: { samples: 7, operations: 100, slices: 2 },
    full: { samples: 31, operations: 200, slices: 10 },
  },
  bars: [
    { figure: 'seal_1kb_ratio', atMost: 1.15 },
    { figure: 'open_1kb_ratio', atMost: 1.15 },
    { figure: 'seal_5mb_ratio', atMost: 1.15 },
    { figure: 'open_5mb_ratio', atMost: 1.15 },
    { figure: 'free_cores_share', atLeast: 0.75 },
  ],
  async run(context, { samples, operations, slices }) {
    const sides = await createSides()
    const texts: readonly Text[] = [
      { name: '1kb', bytes: 1024, operations },
      { name: '5mb', bytes: 5 * 1024 * 1024, operations: 4 },
    ]
    let figures: Record<string, number> = {}
    for (const text of texts) {
      for (const operation of ['seal', 'open'] as const)
        figures = { ...figures, ...(await compare(context, sides, text, operation, samples)) }
    }
    return { ...figures, ...(await measureParallel(context, sides.ours, slices)) }
  },
}

async function compare(
  context: ScenarioContext,
  sides: Sides,
  { name, bytes, operations }: Text,
  operation: Operation,
  samples: number,
) {
  const text = 'x'.repeat(bytes)
  const input = operation === 'seal' ? text : await sides.ours.seal(text)
  const measures = {
    ours: () => measure(sides.ours, operation, input, operations),
    bare: () => measure(sides.bare, operation, input, operations),
  }
  return summarize(context, `${operation}_${name}`, await alternate(measures, { samples, warmUps: 1 }))
}

async function measure(side: Side, operation: Operation, input: string, times: number): Promise<Cost> {
  const cpuBefore = process.cpuUsage()
  const wallBefore = performance.now()
  for (let time = 0; time < times; time += 1) {
    const output = await side[operation](input)
    // V8 joins strings lazily: reading the text makes both sides pay for it.
    if (Buffer.byteLength(output) === 0) throw new Error(`${operation} returned an empty text`)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  return { cpuMs: (user + system) / 1000 / times, wallMs: (performance.now() - wallBefore) / times }
}

function summarize(context: ScenarioContext, name: string, { ours, bare }: Record<keyof Sides, readonly Cost[]>) {
  const ratio = medianCostRatio(ours, bare, 'cpuMs')
  const wallRatio = medianCostRatio(ours, bare, 'wallMs')
  const ms = (costs: readonly Cost[]) => median(costs.map(({ cpuMs }) => cpuMs)).toFixed(3)
  context.progress(`${name}: ours ${ms(ours)} ms, bare ${ms(bare)} ms, ratio ${ratio} (wall time ${wallRatio})`)
  return { [`${name}_ratio`]: ratio, [`${name}_wall_ratio`]: wallRatio, [`${name}_ms`]: Number(ms(ours)) }
}

/** To three digits: the bars are close to 1. */
function medianCostRatio(ours: readonly Cost[], bare: readonly Cost[], by: keyof Cost): number {
  const ratios = ours.map((cost, sample) => cost[by] / (bare[sample]?.[by] ?? Number.NaN))
  return Math.round(median(ratios) * 1000) / 1000
}
