import { setTimeout as pause } from 'node:timers/promises'
import { atLeastOne, type Figures, type Scenario, type ScenarioContext, waitUntil, zero } from '@sealpost/testkit'
import { CALL_NAMES, openTally, type Tally } from './calls.ts'
import { chooseFaults, type Fault } from './faults.ts'
import { openLedger } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { startSite } from './site.ts'

interface Size {
  readonly faultMs: number
  readonly ownS3: boolean
  /** Each may create 190 rows. */
  readonly creators: number
  readonly settings: Readonly<Record<string, string>>
}

/** Short, so that a frozen engine is noticed while it is frozen. */
const HASTY = {
  DATABASE_WAIT_MS: '700',
  ASK_TIMEOUT_MS: '1000',
  REDIS_TIMEOUT_MS: '250',
  S3_WAIT_MS: '1000',
  DATABASE_POOL: '4',
}
/** Those of an installation; the test kit has longer ones. */
const DEFAULTS = { DATABASE_WAIT_MS: '5000', ASK_TIMEOUT_MS: '3000', REDIS_TIMEOUT_MS: '250', S3_WAIT_MS: '10000' }
const RECOVERY_DEADLINE_MS = 60_000
/** So many calls of each kind in a row count as well. */
const WELL_AGAIN = 2
/** A fault lasts until callers feel it, at most this much longer. */
const UNFELT_MS = 20_000

export const frozenScenario: Scenario<Size> = {
  name: 'frozen',
  about: 'engines that are frozen, full, slow or answer errors under load: every refusal is a 503, nothing is lost',
  sizes: {
    small: { faultMs: 700, ownS3: false, creators: 4, settings: HASTY },
    full: { faultMs: 12_000, ownS3: true, creators: 60, settings: DEFAULTS },
  },
  bars: [
    ...zero('wrong_answers', 'wrong_values', 'lost', 'unexpected', 'unfelt'),
    { figure: 'slowest_recovery_seconds', atMost: 30 },
    ...atLeastOne('refused', 'renames', 'creations'),
  ],
  async run(context, size) {
    let phase = 'before'
    const tally = openTally(() => phase)
    const ledger = openLedger()
    const site = await startSite(context, size)
    const load = await startLoad(site, size.creators, tally, ledger)
    context.onEnd(() => load.end())
    await untilWell(tally)
    const faults = chooseFaults(site, !size.ownS3)
    const outcomes: FaultOutcome[] = []
    for (const fault of faults) {
      phase = fault.name
      outcomes.push(await runFault(context, tally, fault, size.faultMs))
    }
    await load.end()
    for (const example of tally.examples) context.progress(`wrong: ${example}`)
    return {
      faults: faults.length,
      full_disk: site.disk === null ? 'cannot be had here' : 'yes',
      calls: tally.totals.calls,
      refused: tally.totals.refused,
      wrong_answers: tally.totals.wrong,
      slowest_answer_seconds: Math.round(tally.totals.slowestMs / 1000),
      unfelt: outcomes.filter(({ isFelt }) => !isFelt).length,
      slowest_recovery_seconds: Math.max(...outcomes.map(({ recoverySeconds }) => recoverySeconds)),
      renames: ledger.acknowledged.renames,
      creations: ledger.acknowledged.creations,
      ...(await compareLedger(load)),
      wrong_values: ledger.wrongValues,
    }
  },
}

interface FaultOutcome {
  readonly isFelt: boolean
  readonly recoverySeconds: number
}

async function runFault(context: ScenarioContext, tally: Tally, fault: Fault, faultMs: number): Promise<FaultOutcome> {
  tally.takePhase()
  await fault.begin()
  try {
    await pause(faultMs)
    await waitUntil('the fault is felt', UNFELT_MS, () => fault.refuses.every((name) => tally.refused(name) > 0)).catch(
      (error: unknown) => context.progress(String(error)),
    )
  } finally {
    await fault.end()
  }
  const endedMs = performance.now()
  const during = tally.takePhase()
  await untilWell(tally)
  const recoverySeconds = Math.round((performance.now() - endedMs) / 100) / 10
  const isFelt = fault.refuses.every((name) => during[name].refused > 0)
  const refused = CALL_NAMES.flatMap((name) => (during[name].refused === 0 ? [] : [`${name} ${during[name].refused}`]))
  const shown = refused.length === 0 ? 'nothing refused' : `refused: ${refused.join(', ')}`
  context.progress(`${fault.name}: ${shown}${isFelt ? '' : ' (NOT FELT)'}; well again after ${recoverySeconds} s`)
  return { isFelt, recoverySeconds }
}

async function untilWell(tally: Tally): Promise<void> {
  await waitUntil('calls of every kind succeed', RECOVERY_DEADLINE_MS, () =>
    CALL_NAMES.every((name) => tally.streak(name) >= WELL_AGAIN),
  )
}

async function compareLedger({ renamers, creator }: Load): Promise<Figures> {
  for (const renamer of renamers) await renamer.verify()
  return creator.countFaults()
}
