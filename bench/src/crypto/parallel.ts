import { cpus } from 'node:os'
import { hundredths, median, type ScenarioContext } from '@sealpost/testkit'
import type { Side } from './sides.ts'

/** Enough to keep every thread of WebCrypto's pool busy. */
const IN_FLIGHT = 64
const SLICE = 1000

/**
 * Opening runs on the threads of WebCrypto's pool, so concurrent calls use all cores without workers. `cores_used` is CPU
 * time over wall time in the best slice; other load lowers it. `free_cores_share` is the used share of the CPU time that
 * other processes left: 0.5 when two cores are free and calls run one after the other.
 */
export async function measureParallel(context: ScenarioContext, side: Side, slices: number) {
  const wrapper = await side.seal('x'.repeat(1024))
  const found: Usage[] = []
  const startedAt = performance.now()
  for (let slice = 1; slice <= slices; slice += 1) {
    const usage = await measureUsage(() => openSlice(side, wrapper))
    found.push(usage)
    const { coresUsed, freeShare } = usage
    const percent = Math.round(freeShare * 100)
    context.progress(
      `opened ${slice * SLICE} of ${slices * SLICE}: ${coresUsed} cores, ${percent}% of the free CPU time`,
    )
  }
  const perSecond = (slices * SLICE) / ((performance.now() - startedAt) / 1000)
  return {
    cores_used: Math.max(...found.map(({ coresUsed }) => coresUsed)),
    free_cores_share: hundredths(median(found.map(({ freeShare }) => freeShare))),
    opened: slices * SLICE,
    opened_per_second: Math.round(perSecond),
  }
}

async function openSlice(side: Side, wrapper: string): Promise<void> {
  let left = SLICE
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await side.open(wrapper)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

interface Usage {
  readonly coresUsed: number
  readonly freeShare: number
}

async function measureUsage(work: () => Promise<void>): Promise<Usage> {
  const cpuBefore = process.cpuUsage()
  const idleBefore = idleMs()
  const wallBefore = performance.now()
  await work()
  const wallMs = performance.now() - wallBefore
  const { user, system } = process.cpuUsage(cpuBefore)
  const usedMs = (user + system) / 1000
  return { coresUsed: hundredths(usedMs / wallMs), freeShare: hundredths(usedMs / (usedMs + idleMs() - idleBefore)) }
}

function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0)
}
