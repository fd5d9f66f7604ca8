import { parseUuid } from '@sealpost/kernel'
import { acceptConnectRequest, listReceivedConnectRequests, refuse, rejectConnectRequest } from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { Caller } from '../../../../platform/caller.ts'
import type { CustomerContext } from '../context.ts'
import type { ConnectRequest } from '../model.ts'
import { acceptRequest, rejectRequest } from '../operations/connect-requests.ts'
import { listRequestPage } from '../operations/list-pages.ts'
import { findRequest } from '../store/requests.ts'
import { connectInput, customerOf } from './customer.ts'

export function bindRequests(bind: BindRoute, context: CustomerContext): void {
  bind({
    operation: listReceivedConnectRequests,
    locate: ({ caller }) => requirePerson(caller),
    handle: ({ caller, query }) => listRequestPage(context, caller.accountId, query),
  })
  bind({
    operation: acceptConnectRequest,
    locate: ({ caller, params }) => locateRequest(context, caller, params.id),
    handle: ({ caller, call, located, body }) =>
      acceptRequest(context, customerOf(caller), located, connectInput(caller, call, body)),
  })
  bind({
    operation: rejectConnectRequest,
    locate: ({ caller, params }) => locateRequest(context, caller, params.id),
    async handle({ located }) {
      await rejectRequest(context, located)
      return { request_id: located.id, status: 'rejected' as const }
    },
  })
}

/** Checked before any look-up, so that a company learns nothing about requests. */
function requirePerson({ kind }: Caller): void {
  if (kind !== 'person') throw refuse('company_connections.persons_only')
}

async function locateRequest(
  { database, clock }: CustomerContext,
  caller: Caller,
  text: string,
): Promise<ConnectRequest> {
  requirePerson(caller)
  const id = parseUuid(text)
  const now = clock.now()
  const request = id === null ? null : await database.read((read) => findRequest(read, caller.accountId, id, now))
  if (request === null) throw refuse('company_connections.request_not_found')
  return request
}
