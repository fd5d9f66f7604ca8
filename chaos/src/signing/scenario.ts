import { atLeastOne, type Scenario, zero } from '@sealpost/testkit'
import { openDice } from '@sealpost/testkit/dice'
import { orderFaults } from '../flows/faults.ts'
import { loadOf, openTally, workOn } from '../flows/load.ts'
import { startSite } from '../flows/site.ts'
import { injectFaults } from '../inject-faults.ts'
import { childFault } from '../seal/faults.ts'
import { sweep } from '../sweep.ts'
import { advanceWith } from './acts.ts'
import { openParties } from './parties.ts'
import { expectedOf, planRuns } from './runs.ts'
import { judgeRuns } from './verify.ts'

interface Size {
  readonly pairs: number
  readonly runs: number
  readonly faults: number
  readonly callers: number
}

const SEED = 1

/** Rows of inputs, staged copies and seals that nothing uses. */
const LEFT = {
  runs: ['flows_service.answer_file where not is_used', 'flows_customer.file where not is_used'],
  documents: ['documents_service.prepared_seal'],
} as const

/**
 * A company and two customers make the documents of runs, sign, accept and decline them, while regions, NATS, file stores
 * and the processes that read PDFs fail. Each act is repeated until it is answered: every run must then have one set of
 * documents, one open step or none, and outputs that are sealed for all parties or for none.
 */
export const signingScenario: Scenario<Size> = {
  name: 'signing',
  about: 'documents of runs are made once, signed in one line and sealed whole, while everything that they need fails',
  sizes: {
    small: { pairs: 2, runs: 14, faults: 4, callers: 4 },
    full: { pairs: 6, runs: 300, faults: 60, callers: 12 },
  },
  bars: [
    ...zero('wrong_answers', 'unfelt', 'wrong_states', 'wrong_copies', 'open_steps_wrong', 'half_sealed'),
    ...zero('repeated_signatures', 'different_sides', 'invalid_seals', 'extra_documents', 'left', 'orphans', 'missing'),
    ...atLeastOne('completed', 'cancelled', 'open', 'valid_seals', 'broken'),
  ],
  async run(context, size) {
    const site = await startSite(context)
    const dice = openDice(SEED)
    const parties = await openParties(site, size.pairs)
    const runs = planRuns(parties, size.runs)
    const tally = openTally()
    const queue = [...runs]
    const advance = advanceWith(parties)
    const working = Promise.all(Array.from({ length: size.callers }, () => workOn(tally, queue, dice, advance)))
    context.onEnd(async () => {
      tally.isEnding = true
      await working
    })
    const steps = runs.reduce((sum, run) => sum + run.steps.length, 0)
    const faults = orderFaults(site, size.faults, dice, [() => childFault(site)])
    const unfelt = await injectFaults(context, faults, loadOf(tally, steps))
    tally.isEnding = true
    await working
    for (const answer of tally.wrong) context.progress(`wrong: ${answer}`)
    context.progress('all acts are answered')
    const judged = await judgeRuns(parties, runs)
    const swept: Awaited<ReturnType<typeof sweep>>[] = []
    for (const environment of [site.installation.environment.eu, site.installation.environment.us])
      for (const name of ['runs', 'documents'] as const) swept.push(await sweep(environment, name, LEFT[name]))
    const count = (status: string): number => runs.filter((run) => expectedOf(run).status === status).length
    const sum = (of: (one: (typeof swept)[number]) => number): number => swept.reduce((all, one) => all + of(one), 0)
    return {
      runs: runs.length,
      acts: tally.done,
      faults: size.faults,
      unfelt,
      completed: count('completed'),
      cancelled: count('cancelled'),
      open: count('awaiting_signature'),
      unreachable: tally.refused.get('region.unreachable') ?? 0,
      busy: tally.refused.get('platform.busy') ?? 0,
      seal_failed: tally.refused.get('documents.seal_failed') ?? 0,
      broken: tally.broken,
      claimed: tally.claimed,
      late: tally.late,
      wrong_answers: tally.wrong.length,
      ...judged,
      left: sum(({ left }) => left),
      orphans: sum(({ orphans }) => orphans),
      missing: sum(({ missing }) => missing),
    }
  },
}
