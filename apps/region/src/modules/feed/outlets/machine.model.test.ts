import { propertyRuns } from '@sealpost/testkit/property-runs'
import { describe, expect, test } from 'vitest'
import { tellHistory } from '../testing/outlet-history.ts'
import type { Machine } from '../testing/outlet-world.ts'
import { type Act, type Moment, type Outlet, step } from './machine.ts'

/** `PROPERTY_RUNS=200000 npx vitest run --project unit outlets/machine.model` is the full size. */
test(
  'whatever happens, events come in order, one at a time, none is lost, none is sent again without a reason or too early',
  { timeout: 3_600_000 },
  () => {
    for (let seed = 1; seed <= propertyRuns(); seed += 1) {
      const complaint = tellHistory(seed)
      if (complaint !== null) expect.fail(`history ${seed}: ${complaint}`)
    }
  },
)

/** Histories that a wrong machine has at most. */
const ENOUGH = 20_000

describe('a machine is found out that', () => {
  test.each<readonly [string, Machine]>([
    ['listens to whoever held the outlet before', hears((act, { token }) => ({ ...act, token }))],
    ['passes over what was put back while an event was on its way', hears((act, { epoch }) => ({ ...act, epoch }))],
    ['passes over one event more than it looked at', hears(lookFarther)],
    ['lets go without looking whether more has come', (outlet, act, at) => step(outlet, act, settling(act, at))],
    ['knows no grace', (outlet, act, at) => step(outlet, act, { ...at, graceMs: 0 })],
    ['lets two hold an outlet', alters('claim', (act) => ({ ...act, isLapsed: true }))],
    ['forgets what was drained by hand', alters('return', (act) => ({ ...act, gone: [] }))],
    ['purges one event too many', alters('purge', (act) => ({ ...act, to: act.to + 1 }))],
    ['does not say that somebody drains by hand', ends('lend', (_next, before) => before)],
    ['is not woken', ends('wake', (_next, before) => before)],
    ['is woken while it is bad', ends('wake', (next, _before, { now }) => ({ ...next, dueAt: now }))],
    ['replays nothing that is gone', ends('replay', (next, { cursor, gone }) => ({ ...next, cursor, gone }))],
    ['collapses what was asked for whole', ends('replay', (next, { replayTo }) => ({ ...next, replayTo }))],
    ['keeps sending as live what has failed', ends('settle', (next, { parkedTo }) => ({ ...next, parkedTo }))],
    ['leaves nobody to go on when a worker lets go', ends('settle', (next) => ({ ...next, dueAt: null }))],
    ['gives every holder the same token', ends('claim', (next, { token }) => ({ ...next, token }))],
    [
      'loses what failed',
      ends('settle', (next) => (next.state === 'bad' ? { ...next, cursor: next.cursor + 1 } : next)),
    ],
  ])('%s', (_what, machine) => {
    let complaint: string | null = null
    for (let seed = 1; seed <= ENOUGH && complaint === null; seed += 1) complaint = tellHistory(seed, machine)
    expect(complaint).not.toBeNull()
  })
})

type ActOf<Name extends Act['act']> = Extract<Act, { readonly act: Name }>

function isAct<Name extends Act['act']>(act: Act, name: Name): act is ActOf<Name> {
  return act.act === name
}

function alters<Name extends Act['act']>(name: Name, alter: (act: ActOf<Name>) => Act): Machine {
  return (outlet, act, at) => step(outlet, isAct(act, name) ? alter(act) : act, at)
}

function hears(alter: (act: ActOf<'settle'>, outlet: Outlet) => Act): Machine {
  return (outlet, act, at) => step(outlet, isAct(act, 'settle') ? alter(act, outlet) : act, at)
}

function ends(name: Act['act'], alter: (next: Outlet, before: Outlet, at: Moment) => Outlet): Machine {
  return (outlet, act, at) => {
    const next = step(outlet, act, at)
    return act.act === name && next.isMine ? { ...next, outlet: alter(next.outlet, outlet, at) } : next
  }
}

function lookFarther(act: ActOf<'settle'>): Act {
  return act.end === null ? act : { ...act, end: { ...act.end, lookedTo: act.end.lookedTo + 1 } }
}

function settling(act: Act, at: Moment): Moment {
  return act.act === 'settle' ? { ...at, lastNo: 0 } : at
}
