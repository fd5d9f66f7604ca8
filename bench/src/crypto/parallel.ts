import { readdirSync, readFileSync } from 'node:fs'
import type { ScenarioContext } from '@sealpost/testkit'
import type { Side } from './sides.ts'

/** Enough to keep every thread of WebCrypto's pool busy while results are taken up. */
const IN_FLIGHT = 64
const SLICE = 1000

/**
 * Opening runs on the threads of WebCrypto's pool, so calls that are in flight together use all cores without workers
 * of our own. `cores_used` is CPU time over wall time in the best slice; what else runs on the machine lowers it.
 * `cores_claimed` counts a thread that waits for a core as well, so it says the same on a busy machine as on an idle
 * one: about 1 when calls run one after the other, the number of threads when they do not.
 */
export async function measureParallel(context: ScenarioContext, side: Side) {
  const slices = context.isSmall ? 3 : 10
  const wrapper = await side.seal('x'.repeat(1024))
  const found: Usage[] = []
  const startedAt = performance.now()
  for (let slice = 1; slice <= slices; slice += 1) {
    const usage = await measureUsage(() => openSlice(side, wrapper))
    found.push(usage)
    context.progress(
      `opened ${slice * SLICE} of ${slices * SLICE} values: ${usage.used} cores used, ${usage.claimed} claimed`,
    )
  }
  const perSecond = (slices * SLICE) / ((performance.now() - startedAt) / 1000)
  return {
    cores_used: Math.max(...found.map(({ used }) => used)),
    cores_claimed: Math.max(...found.map(({ claimed }) => claimed)),
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
  readonly used: number
  readonly claimed: number
}

async function measureUsage(work: () => Promise<void>): Promise<Usage> {
  const before = threadTimes()
  const wallBefore = performance.now()
  await work()
  const wallMs = performance.now() - wallBefore
  const after = threadTimes()
  const used = (after.ranMs - before.ranMs) / wallMs
  const waited = (after.waitedMs - before.waitedMs) / wallMs
  return { used: rounded(used), claimed: rounded(used + waited) }
}

/** What the kernel counts for every thread of this process: time on a core, and time ready but without one. */
function threadTimes(): { readonly ranMs: number; readonly waitedMs: number } {
  const threads = readdirSync('/proc/self/task').map((thread) =>
    readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ').map(Number),
  )
  return {
    ranMs: threads.reduce((sum, [ranNs = 0]) => sum + ranNs, 0) / 1e6,
    waitedMs: threads.reduce((sum, [, waitedNs = 0]) => sum + waitedNs, 0) / 1e6,
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
