import {
  approveChallenge as approveRoute,
  denyChallenge as denyRoute,
  listEnrollments as listEnrollmentsRoute,
  listReceivedChallenges,
  readEnrollment as readEnrollmentRoute,
  refuse,
  reportChallenge as reportRoute,
  revokeEnrollment as revokeRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { CustomerContext } from './context.ts'
import { approveChallenge, denyChallenge, locateCard, reportChallenge } from './operations/answer-challenge.ts'
import { locateEnrollment, revokeEnrollment } from './operations/enrollments.ts'
import { listChallenges, listEnrollments } from './operations/list-twofa.ts'
import { enrollmentToWire } from './wire.ts'

export function bindCustomerRoutes(bind: BindRoute, context: CustomerContext): void {
  bindChallenges(bind, context)
  bindEnrollments(bind, context)
}

function bindChallenges(bind: BindRoute, context: CustomerContext): void {
  const locate = ({ caller, params }: { readonly caller: Caller; readonly params: { readonly id: string } }) =>
    locateCard(context, requirePerson(caller).accountId, params.id)
  bind({
    operation: listReceivedChallenges,
    locate: ({ caller }) => requirePerson(caller),
    handle: ({ caller, query }) => listChallenges(context, caller.accountId, query),
  })
  bind({
    operation: approveRoute,
    locate,
    handle: ({ caller, located, body }) => approveChallenge(context, caller, located, body),
  })
  bind({ operation: denyRoute, locate, handle: ({ located }) => denyChallenge(context, located) })
  bind({ operation: reportRoute, locate, handle: ({ located }) => reportChallenge(context, located) })
}

function bindEnrollments(bind: BindRoute, context: CustomerContext): void {
  const locate = ({ caller, params }: { readonly caller: Caller; readonly params: { readonly serviceId: string } }) =>
    locateEnrollment(context, requirePerson(caller).accountId, params.serviceId)
  bind({
    operation: listEnrollmentsRoute,
    locate: ({ caller }) => requirePerson(caller),
    handle: ({ caller, query }) => listEnrollments(context, caller.accountId, query),
  })
  bind({ operation: readEnrollmentRoute, locate, handle: ({ located }) => enrollmentToWire(located) })
  bind({
    operation: revokeRoute,
    locate,
    async handle({ located }): Promise<undefined> {
      await revokeEnrollment(context, located)
    },
  })
}

/** Checked before any look-up, so that a company learns nothing about challenges. */
function requirePerson(caller: Caller): Caller {
  if (caller.kind !== 'person') throw refuse('company_connections.persons_only')
  return caller
}
