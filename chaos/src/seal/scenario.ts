import { atLeastOne, type Scenario, zero } from '@sealpost/testkit'
import { injectFaults } from '../inject-faults.ts'
import { sweep } from '../sweep.ts'
import { loadOf, openTally, signInTurn } from './acts.ts'
import { offerContracts } from './contracts.ts'
import { type FaultPlan, orderFaults } from './faults.ts'
import { startSite } from './site.ts'
import { judgeContracts } from './verify.ts'

interface Size extends FaultPlan {
  readonly customers: number
}

/**
 * Customers sign PDFs while the time-stamping authority, the key, the processes that read PDFs, both regions, their file
 * stores and the link between them fail. Each act is repeated until it is answered 200: it must be recorded once, with
 * one valid sealed file on both sides, and no fault may leave a part of an act or an object behind.
 */
export const sealScenario: Scenario<Size> = {
  name: 'seal',
  about: 'contracts are signed and sealed once, or not at all, while everything that a seal needs fails',
  sizes: {
    small: { customers: 2, acts: 16, each: 1, childKills: 1, commitKills: 1, regionKills: 1 },
    full: { customers: 3, acts: 200, each: 2, childKills: 16, commitKills: 12, regionKills: 12 },
  },
  bars: [
    ...zero('wrong_answers', 'half_states', 'unfelt', 'unsigned', 'repeated_signatures', 'different_sides'),
    ...zero('invalid_files', 'orphans', 'missing', 'waiting_seals'),
    ...atLeastOne('seal_failed', 'unreachable'),
  ],
  async run(context, size) {
    const site = await startSite(context)
    const offered = await offerContracts(context, site, size)
    const tally = openTally()
    const parts = Array.from({ length: size.customers }, (_, part) => ({
      ...offered,
      contracts: offered.contracts.filter((_contract, index) => index % size.customers === part),
    }))
    const working = Promise.all(parts.map((part) => signInTurn(tally, part)))
    context.onEnd(async () => {
      tally.isEnding = true
      await working
    })
    const unfelt = await injectFaults(context, orderFaults(site, size), loadOf(tally, size.acts))
    await working
    for (const answer of tally.wrong) context.progress(`wrong: ${answer}`)
    const judged = await judgeContracts(offered)
    const { environment } = site.installation
    const sealsIn = (region: 'eu' | 'us') =>
      sweep(environment[region], 'documents', ['documents_service.prepared_seal'])
    const [eu, us] = [await sealsIn('eu'), await sealsIn('us')]
    return {
      acts: tally.done,
      kills: size.childKills + size.commitKills + size.regionKills,
      other_faults: 7 * size.each,
      unfelt,
      seal_failed: tally.refused.get('documents.seal_failed') ?? 0,
      unreachable: tally.refused.get('region.unreachable') ?? 0,
      busy: tally.refused.get('platform.busy') ?? 0,
      broken: tally.broken,
      claimed: tally.claimed,
      wrong_answers: tally.wrong.length,
      half_states: tally.halfStates,
      ...judged,
      orphans: eu.orphans + us.orphans,
      missing: eu.missing + us.missing,
      waiting_seals: eu.left + us.left,
    }
  },
}
