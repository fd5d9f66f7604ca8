import { atLeastOne, type Scenario, zero } from '@sealpost/testkit'
import { openDice } from '@sealpost/testkit/dice'
import { injectFaults } from '../inject-faults.ts'
import { sweep } from '../sweep.ts'
import { orderFaults } from './faults.ts'
import { readFeed } from './feed.ts'
import { advance, loadOf, openTally, runScript, strayUploads, workOn } from './load.ts'
import { openParties } from './parties.ts'
import { planRuns, type Run } from './runs.ts'
import { expectedAfter } from './script.ts'
import { startSite } from './site.ts'
import { judgeEvents, judgeRuns } from './verify.ts'

interface Size {
  /** Runs are pairs times flows. */
  readonly pairs: number
  readonly flows: number
  readonly faults: number
  readonly callers: number
}

const WAITING_RUNS = 4
const SEED = 1

/** Rows of uploads and staged copies that nothing uses. */
const STAGED = [
  'flows_service.answer_file where not is_used',
  'flows_service.source_file where run_id is null',
  'flows_customer.file where not is_used',
]

/**
 * A company starts runs of flows with a person and another company, who take their turns, upload files and cancel, while
 * the regions, NATS and the file stores fail. Each call is repeated with its key until it is answered; the runs must then
 * be exactly as the answers say, for all parties, in the feeds and in the file stores.
 */
export const flowsScenario: Scenario<Size> = {
  name: 'flows',
  about: 'runs of flows are as the acknowledged calls imply, on all sides, while regions, NATS and file stores fail',
  sizes: {
    small: { pairs: 6, flows: 5, faults: 4, callers: 6 },
    full: { pairs: 25, flows: 20, faults: 60, callers: 24 },
  },
  bars: [
    ...zero('wrong_answers', 'unfelt', 'wrong_states', 'different_sides', 'wrong_files', 'wrong_values', 'extra_runs'),
    ...zero('missing_events', 'unexpected_events', 'misordered_events', 'staged_left', 'orphans', 'missing'),
    ...atLeastOne('completed', 'cancelled', 'open', 'strays', 'unreachable', 'broken'),
  ],
  async run(context, size) {
    const site = await startSite(context)
    const dice = openDice(SEED)
    const parties = await openParties(site, size)
    const runs = planRuns(parties, WAITING_RUNS)
    const [waiting, planned] = [runs.slice(0, WAITING_RUNS), runs.slice(WAITING_RUNS)]
    const feed = readFeed(parties.owner.calls, '/api/company-data/changes', 'chaos')
    const tally = openTally()
    for (const run of waiting) await runScript(tally, run)
    context.progress(`${runs.length} runs are planned, ${waiting.length} wait for their files`)
    const queue = [...planned]
    const working = Promise.all([
      ...Array.from({ length: size.callers }, () => workOn(tally, queue, dice, advance)),
      strayUploads(tally, waiting, dice),
    ])
    context.onEnd(async () => {
      tally.isEnding = true
      await working
    })
    const steps = planned.reduce((sum, run) => sum + run.steps.length, 0)
    const unfelt = await injectFaults(context, orderFaults(site, size.faults, dice), loadOf(tally, steps))
    tally.isEnding = true
    await working
    for (const answer of tally.wrong) context.progress(`wrong: ${answer}`)
    context.progress('all calls are answered')
    const judged = await judgeRuns(parties, runs, (fault) => context.progress(fault))
    const events = await judgeEvents(parties, runs, feed)
    const { environment } = site.installation
    const [eu, us] = [await sweep(environment.eu, 'runs', STAGED), await sweep(environment.us, 'runs', STAGED)]
    const count = (is: (status: string) => boolean): number => runs.filter((run) => is(statusOf(run))).length
    return {
      runs: runs.length,
      steps: tally.done,
      faults: size.faults,
      unfelt,
      completed: count((status) => status === 'completed'),
      cancelled: count((status) => status === 'cancelled'),
      open: count((status) => status.startsWith('awaiting_')),
      strays: tally.strays,
      unreachable: tally.refused.get('region.unreachable') ?? 0,
      busy: tally.refused.get('platform.busy') ?? 0,
      broken: tally.broken,
      claimed: tally.claimed,
      late: tally.late,
      wrong_answers: tally.wrong.length,
      ...judged,
      ...events,
      staged_left: eu.left + us.left,
      orphans: eu.orphans + us.orphans,
      missing: eu.missing + us.missing,
    }
  },
}

function statusOf({ taken }: Run): string {
  return expectedAfter(taken).status
}
