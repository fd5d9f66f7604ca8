import { parseUuid } from '@sealpost/kernel'
import { acceptConnectRequest, listReceivedConnectRequests, refuse, rejectConnectRequest } from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import type { Caller } from '../../../../caller.ts'
import type { CustomerNeeds } from '../needs.ts'
import { markOf } from '../operations/connect.ts'
import { listRequestPage } from '../operations/list.ts'
import { acceptRequest, rejectRequest } from '../operations/requests.ts'
import { type ConnectRequest, findRequest } from '../store/requests.ts'
import { callerName, customerOf } from './customer.ts'

export function bindRequests(bind: BindRoute, needs: CustomerNeeds): void {
  bind({
    operation: listReceivedConnectRequests,
    locate: ({ caller }) => demandPerson(caller),
    handle: ({ caller, query }) => listRequestPage(needs, caller.accountId, query),
  })
  bind({
    operation: acceptConnectRequest,
    locate: ({ caller, params }) => locateRequest(needs, caller, params.id),
    handle({ caller, call, located, body: { decisions }, storeAnswer }) {
      const openedBy = markOf(callerName(caller), call.path, call.idempotencyKey)
      return acceptRequest(needs, customerOf(caller), located, { decisions, openedBy }, storeAnswer)
    },
  })
  bind({
    operation: rejectConnectRequest,
    locate: ({ caller, params }) => locateRequest(needs, caller, params.id),
    async handle({ located }) {
      await rejectRequest(needs, located)
      return { request_id: located.id, status: 'rejected' as const }
    },
  })
}

/** Before anything is looked for: a company learns nothing but that it is none of those who are asked. */
function demandPerson({ kind }: Caller): void {
  if (kind !== 'person') throw refuse('company_connections.persons_only')
}

async function locateRequest(
  { database, clock }: CustomerNeeds,
  caller: Caller,
  text: string,
): Promise<ConnectRequest> {
  demandPerson(caller)
  const id = parseUuid(text)
  const now = clock.now()
  const request = id === null ? null : await database.read((read) => findRequest(read, caller.accountId, id, now))
  if (request === null) throw refuse('company_connections.request_not_found')
  return request
}
