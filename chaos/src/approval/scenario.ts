import { atLeastOne, clientCalls, northwind, type Scenario, zero } from '@sealpost/testkit'
import { injectFaults } from '../inject-faults.ts'
import { challengeInTurn, loadOf, openTally, type Seen } from './challenges.ts'
import { type FaultPlan, orderFaults } from './faults.ts'
import { type Approver, openApprover } from './people.ts'
import { startSite } from './site.ts'

interface Size extends FaultPlan {
  readonly persons: number
}

/**
 * Persons in us approve, deny and ignore logins of a company in eu while its Redis is killed and emptied, both regions are
 * killed and the link between them is cut. No login may be approved without its person, no outcome may be read twice, and
 * both sides must have seen the same one.
 */
export const approvalScenario: Scenario<Size> = {
  name: 'approval',
  about: 'logins are approved by their persons only, and read once, while Redis, regions and the link fail',
  sizes: {
    small: { persons: 4, challenges: 40, kills: 4, cuts: 1 },
    full: { persons: 16, challenges: 1000, kills: 60, cuts: 8 },
  },
  bars: [
    ...zero('wrong_answers', 'wrong_approvals', 'different_sides', 'read_twice', 'unfinished', 'unfelt'),
    ...atLeastOne('approved', 'denied', 'expired', 'unavailable'),
  ],
  async run(context, size) {
    const site = await startSite(context)
    const service = await clientCalls(site.installation, northwind.clientId, northwind.clientSecret)
    const approvers: Approver[] = []
    for (let number = 0; number < size.persons; number += 1) approvers.push(await openApprover(site))
    context.progress(`${approvers.length} persons are enrolled`)
    const tally = openTally()
    const working = Promise.all(approvers.map((approver, part) => challengeInTurn(tally, service, approver, part)))
    context.onEnd(async () => {
      tally.isEnding = true
      await working
    })
    const unfelt = await injectFaults(context, orderFaults(site, size), loadOf(tally, size.challenges))
    tally.isEnding = true
    await working
    for (const answer of tally.wrong) context.progress(`wrong: ${answer}`)
    const count = (is: (seen: Seen) => boolean): number => tally.seen.filter(is).length
    return {
      challenges: tally.seen.length,
      kills: size.kills,
      cuts: size.cuts,
      unfelt,
      approved: count(({ company }) => company === 'approved'),
      denied: count(({ company }) => company === 'denied'),
      expired: count(({ company }) => company === 'expired'),
      lost_answers: count(({ company }) => company === 'lost'),
      unavailable: tally.refused.get('twofa.unavailable') ?? 0,
      unreachable: tally.refused.get('region.unreachable') ?? 0,
      broken: tally.broken,
      wrong_answers: tally.wrong.length,
      wrong_approvals: count(({ company, person, hasApproved }) =>
        [company, person].includes('approved') ? !hasApproved : false,
      ),
      different_sides: count(
        ({ company, person }) => company !== null && company !== 'lost' && person !== null && person !== company,
      ),
      read_twice: count(({ reads }) => reads > 1),
      unfinished: count(({ company }) => company === null),
    }
  },
}
