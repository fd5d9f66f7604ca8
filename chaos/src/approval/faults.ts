import { type ScenarioContext, waitUntil } from '@sealpost/testkit'
import { type Tally, troubles } from './challenges.ts'
import type { Region, Site } from './site.ts'

export interface FaultPlan {
  readonly challenges: number
  readonly kills: number
  readonly cuts: number
}

/** Begins and answers how it ends. */
interface Fault {
  readonly name: string
  begin(): Promise<() => Promise<void>>
}

const DEADLINE_MS = 300_000
const FELT_MS = 30_000

/** One after the other, spread over the challenges, which go on meanwhile. Answers how many were not felt. */
export async function injectFaults(
  context: ScenarioContext,
  site: Site,
  tally: Tally,
  plan: FaultPlan,
): Promise<number> {
  const faults = orderFaults(site, plan)
  const share = plan.challenges / (faults.length + 1)
  let unfelt = 0
  for (const [index, fault] of faults.entries()) {
    const wanted = Math.floor(share * (index + 1))
    tally.allowed = wanted
    await waitUntil(`${wanted} challenges are done`, DEADLINE_MS, () => tally.seen.length >= wanted)
    const before = troubles(tally)
    tally.allowed = Number.POSITIVE_INFINITY
    const end = await fault.begin()
    const isFelt = await waitUntil('the fault is felt', FELT_MS, () => troubles(tally) > before).then(
      () => true,
      () => false,
    )
    tally.allowed = tally.begun
    await end()
    if (!isFelt) unfelt += 1
    context.progress(
      `${fault.name}${isFelt ? '' : ' (NOT FELT)'}; ${tally.seen.length} done, ${troubles(tally)} troubles`,
    )
  }
  tally.allowed = Math.max(plan.challenges, tally.begun)
  await waitUntil('all challenges are done', DEADLINE_MS, () => tally.seen.length >= tally.allowed)
  return unfelt
}

function orderFaults(site: Site, { kills, cuts }: FaultPlan): readonly Fault[] {
  const kinds = [redisFault(site, true), regionFault(site, 'eu'), redisFault(site, false), regionFault(site, 'us')]
  const killing = Array.from({ length: kills }, (_, index) => kinds[index % kinds.length] ?? regionFault(site, 'eu'))
  const step = Math.max(1, Math.floor(kills / Math.max(1, cuts)))
  return killing.flatMap((fault, index) =>
    index % step === 0 && index / step < cuts ? [fault, cutFault(site)] : [fault],
  )
}

function redisFault({ redis }: Site, isEmptied: boolean): Fault {
  return {
    name: isEmptied ? 'Redis was killed and emptied' : 'Redis was killed',
    async begin() {
      await redis.kill()
      return async () => {
        if (isEmptied) await redis.wipe()
        await redis.start()
      }
    },
  }
}

function regionFault({ installation }: Site, region: Region): Fault {
  return {
    name: `${region} was killed`,
    async begin() {
      await installation[region].kill()
      return () => installation[region].start()
    },
  }
}

function cutFault({ links }: Site): Fault {
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
