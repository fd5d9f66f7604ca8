import type { Scenario, ScenarioContext } from '@sealpost/testkit'
import { median } from '../cpu.ts'
import { measureParallel } from './parallel.ts'
import { createSides, type Side, type Sides } from './sides.ts'

type Act = 'seal' | 'open'

interface Size {
  readonly name: '1kb' | '5mb'
  readonly bytes: number
  readonly actsPerRound: number
}

interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

/**
 * What sealing and opening cost above WebCrypto itself: the same primitives, keys imported, base64 on both sides, in
 * interleaved rounds of one process. CPU time of all threads is judged, because the machine is shared; the ratio by the
 * wall is shown beside it.
 */
export const cryptoScenario: Scenario = {
  name: 'crypto',
  about: 'seal and open against bare WebCrypto at 1 KB and 5 MB; opening many values on all cores',
  bars: [
    { figure: 'seal_1kb_ratio', atMost: 1.15 },
    { figure: 'open_1kb_ratio', atMost: 1.15 },
    { figure: 'seal_5mb_ratio', atMost: 1.15 },
    { figure: 'open_5mb_ratio', atMost: 1.15 },
    { figure: 'free_cores_share', atLeast: 0.75 },
  ],
  async run(context) {
    const sides = await createSides()
    const rounds = context.isSmall ? 15 : 31
    const sizes: readonly Size[] = [
      { name: '1kb', bytes: 1024, actsPerRound: context.isSmall ? 100 : 200 },
      { name: '5mb', bytes: 5 * 1024 * 1024, actsPerRound: 4 },
    ]
    let figures: Record<string, number> = {}
    for (const size of sizes) {
      for (const act of ['seal', 'open'] as const)
        figures = { ...figures, ...(await compare(context, sides, size, act, rounds)) }
    }
    return { ...figures, ...(await measureParallel(context, sides.ours)) }
  },
}

async function compare(context: ScenarioContext, sides: Sides, size: Size, act: Act, rounds: number) {
  const text = 'x'.repeat(size.bytes)
  const input = act === 'seal' ? text : await sides.ours.seal(text)
  const costs: Record<keyof Sides, Cost[]> = { ours: [], bare: [] }
  await measure(sides.ours, act, input, size.actsPerRound)
  await measure(sides.bare, act, input, size.actsPerRound)
  for (let round = 0; round < rounds; round += 1) {
    // Whoever comes second pays for the garbage of the first, so they take turns.
    const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)
    for (const name of order) costs[name].push(await measure(sides[name], act, input, size.actsPerRound))
  }
  return summarize(context, `${act}_${size.name}`, costs)
}

async function measure(side: Side, act: Act, input: string, times: number): Promise<Cost> {
  const cpuBefore = process.cpuUsage()
  const wallBefore = performance.now()
  for (let time = 0; time < times; time += 1) {
    const output = await side[act](input)
    // A text that was only joined costs nothing until somebody reads it: both sides pay for that here.
    if (Buffer.byteLength(output) === 0) throw new Error(`${act} gave nothing`)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  return { cpuMs: (user + system) / 1000 / times, wallMs: (performance.now() - wallBefore) / times }
}

function summarize(context: ScenarioContext, name: string, { ours, bare }: Record<keyof Sides, readonly Cost[]>) {
  const ratio = medianRatio(ours, bare, 'cpuMs')
  const wallRatio = medianRatio(ours, bare, 'wallMs')
  const ms = (costs: readonly Cost[]) => median(costs.map(({ cpuMs }) => cpuMs)).toFixed(3)
  context.progress(`${name}: ours ${ms(ours)} ms, bare ${ms(bare)} ms, ratio ${ratio} (by the wall ${wallRatio})`)
  return { [`${name}_ratio`]: ratio, [`${name}_wall_ratio`]: wallRatio, [`${name}_ms`]: Number(ms(ours)) }
}

/** Pairs of one round saw the same machine; the median pair is not disturbed by a bad moment. */
function medianRatio(ours: readonly Cost[], bare: readonly Cost[], by: keyof Cost): number {
  const ratios = ours.map((cost, round) => cost[by] / (bare[round]?.[by] ?? Number.NaN))
  return Math.round(median(ratios) * 1000) / 1000
}
