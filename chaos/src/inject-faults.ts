import {
  type FaultProxy,
  type Installation,
  NO_FAULT,
  type ScenarioContext,
  waitUntil,
  type Fault as WireFault,
} from '@sealpost/testkit'
import type { Link } from './sharing/link.ts'

export type Region = 'eu' | 'us'

export interface Fault {
  readonly name: string
  /** Answers how it ends. */
  begin(isFelt: () => boolean): Promise<() => Promise<void>>
}

/** The calls of a run, which can be held back so that some are in flight during every fault. */
export interface GatedLoad {
  /** Units of work of the whole run. */
  readonly total: number
  /** So many units may have begun from now on. */
  allow(count: number): void
  begun(): number
  /** Throws at an answer that no fault explains, where the run is to end at once. */
  done(): number
  /** Refusals and broken calls: rises while a fault is felt. */
  troubles(): number
  /** For the progress line. */
  describe(): string
}

const DEADLINE_MS = 300_000
const FELT_MS = 60_000

/** Applies the faults one after the other, spread evenly over the load, which continues meanwhile. Answers how many were not felt. */
export async function injectFaults(
  context: ScenarioContext,
  faults: readonly Fault[],
  load: GatedLoad,
): Promise<number> {
  const share = load.total / (faults.length + 1)
  let unfelt = 0
  for (const [index, fault] of faults.entries()) {
    const wanted = Math.floor(share * (index + 1))
    load.allow(wanted)
    await waitUntil(`${wanted} units are done`, DEADLINE_MS, () => load.done() >= wanted)
    const isFelt = await applyFault(load, fault)
    if (!isFelt) unfelt += 1
    context.progress(`${fault.name}${isFelt ? '' : ' (NOT FELT)'}; ${load.describe()}`)
  }
  const all = Math.max(load.total, load.begun())
  load.allow(all)
  await waitUntil('all is done', DEADLINE_MS, () => load.done() >= all)
  return unfelt
}

async function applyFault(load: GatedLoad, fault: Fault): Promise<boolean> {
  const before = load.troubles()
  // Until it is felt: calls that were in flight before may still succeed.
  load.allow(Number.POSITIVE_INFINITY)
  const isFelt = (): boolean => load.troubles() > before
  const end = await fault.begin(isFelt)
  await waitUntil('the fault is felt', FELT_MS, isFelt).catch(() => {})
  // Some are left for the last fault.
  load.allow(load.begun())
  await end()
  return isFelt()
}

/** SIGKILL, and a start when the fault ends. */
export function regionFault(installation: Installation, region: Region): Fault {
  return {
    name: `${region} was killed`,
    async begin() {
      await installation[region].kill()
      return () => installation[region].start()
    },
  }
}

export function wireFault(name: string, wire: FaultProxy, fault: WireFault): Fault {
  return {
    name,
    async begin() {
      wire.turn(fault)
      return async () => wire.turn(NO_FAULT)
    },
  }
}

export function cutFault(links: readonly Link[]): Fault {
  return {
    name: 'the regions were cut from each other',
    async begin() {
      for (const link of links) link.cut()
      return async () => {
        for (const link of links) link.mend()
      }
    },
  }
}
