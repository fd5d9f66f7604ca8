import { setTimeout as pause } from 'node:timers/promises'
import { type ScenarioContext, waitUntil } from '@sealpost/testkit'
import type { Editing } from './edits.ts'
import type { Region } from './site.ts'

export interface FaultPlan {
  /** Of each region. */
  readonly kills: number
  readonly cuts: number
  readonly edits: number
  /** How long something stays broken, so that there is time to measure. */
  readonly brokenMs: number
}

type Fault = { readonly kind: 'kill'; readonly region: Region } | { readonly kind: 'cut' }

const DEADLINE_MS = 120_000

/** One fault after the other, spread evenly over the edits; edits go on through each. */
export async function breakThings(context: ScenarioContext, editing: Editing, plan: FaultPlan): Promise<void> {
  const faults = order(plan)
  const share = plan.edits / (faults.length + 1)
  for (const [place, fault] of faults.entries()) {
    // More are allowed than are waited for: the fault meets edits that are on their way.
    editing.allowed = Math.round(share * (place + 2))
    await reach(editing, Math.round(share * (place + 1)))
    await apply(editing, fault, plan.brokenMs)
    const { accepted, repeated, failed } = editing.book
    const what = fault.kind === 'cut' ? 'the link was cut' : `${fault.region} was killed`
    context.progress(`${what}; ${accepted} edits accepted, ${repeated} sent again, ${failed} failed`)
  }
  editing.allowed = plan.edits
  await reach(editing, plan.edits)
}

/** Regions in turn, with the cuts between them. */
function order({ kills, cuts }: FaultPlan): readonly Fault[] {
  const faults: Fault[] = []
  for (let number = 0; number < kills; number += 1) {
    faults.push({ kind: 'kill', region: 'eu' }, { kind: 'kill', region: 'us' })
    if (number % Math.ceil(kills / cuts) === 0) faults.push({ kind: 'cut' })
  }
  return faults
}

async function apply({ weather }: Editing, fault: Fault, brokenMs: number): Promise<void> {
  if (fault.kind === 'cut') {
    weather.cut()
    await pause(2 * brokenMs)
    weather.mend()
    return
  }
  await weather.kill(fault.region)
  await pause(brokenMs)
  await weather.start(fault.region)
}

function reach({ book }: Editing, edits: number): Promise<void> {
  return waitUntil(`${edits} edits are accepted`, DEADLINE_MS, () => book.accepted >= edits)
}
