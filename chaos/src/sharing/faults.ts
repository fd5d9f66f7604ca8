import { setTimeout as pause } from 'node:timers/promises'
import { type ScenarioContext, waitUntil } from '@sealpost/testkit'
import type { Editing } from './edits.ts'
import type { Region } from './site.ts'

export interface FaultPlan {
  /** Per region. */
  readonly kills: number
  readonly cuts: number
  readonly edits: number
  /** How long a fault lasts, so that edits are measured during it. */
  readonly brokenMs: number
}

type Fault = { readonly kind: 'kill'; readonly region: Region } | { readonly kind: 'cut' }

const DEADLINE_MS = 120_000

/** Applies the faults one after the other, spread evenly over the edits, which continue meanwhile. */
export async function injectFaults(context: ScenarioContext, editing: Editing, plan: FaultPlan): Promise<void> {
  const faults = orderFaults(plan)
  const share = plan.edits / (faults.length + 1)
  for (const [index, fault] of faults.entries()) {
    // More edits are allowed than are waited for, so that the fault hits edits in flight.
    editing.allowed = Math.round(share * (index + 2))
    await waitForEdits(editing, Math.round(share * (index + 1)))
    await apply(editing, fault, plan.brokenMs)
    const { accepted, repeated, failed } = editing.log
    const description = fault.kind === 'cut' ? 'the link was cut' : `${fault.region} was killed`
    context.progress(`${description}; ${accepted} edits accepted, ${repeated} repeated, ${failed} failed`)
  }
  editing.allowed = plan.edits
  await waitForEdits(editing, plan.edits)
}

/** Kills of the regions in turn, with the cuts between them. */
function orderFaults({ kills, cuts }: FaultPlan): readonly Fault[] {
  const faults: Fault[] = []
  for (let number = 0; number < kills; number += 1) {
    faults.push({ kind: 'kill', region: 'eu' }, { kind: 'kill', region: 'us' })
    if (number % Math.ceil(kills / cuts) === 0) faults.push({ kind: 'cut' })
  }
  return faults
}

async function apply({ states }: Editing, fault: Fault, brokenMs: number): Promise<void> {
  if (fault.kind === 'cut') {
    states.cut()
    await pause(2 * brokenMs)
    states.mend()
    return
  }
  await states.kill(fault.region)
  await pause(brokenMs)
  await states.start(fault.region)
}

function waitForEdits({ log }: Editing, edits: number): Promise<void> {
  return waitUntil(`${edits} edits are accepted`, DEADLINE_MS, () => log.accepted >= edits)
}
