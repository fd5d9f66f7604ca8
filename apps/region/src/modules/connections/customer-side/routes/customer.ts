import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import type { Caller } from '../../../../caller.ts'
import type { Customer, KnownConnection } from '../connection.ts'
import type { CustomerNeeds } from '../needs.ts'
import { demandKnown } from '../operations/change-slots.ts'
import { connectionNotFound } from '../operations/refusals.ts'

/** Everybody but a person acts for a company: its portal, its delegates, its account clients. */
export function customerOf({ kind, accountId }: Pick<Caller, 'kind' | 'accountId'>): Customer {
  return { accountId, userType: kind === 'person' ? 'person' : 'company' }
}

/** Names the caller within an account, for marks of calls. */
export function callerName({ client, userId }: Pick<Caller, 'client' | 'userId'>): string {
  return client?.clientId ?? userId
}

export async function locateConnection(needs: CustomerNeeds, caller: Caller, text: string): Promise<KnownConnection> {
  const id = parseUuid<ConnectionId>(text)
  if (id === null) throw connectionNotFound()
  return demandKnown(needs, { accountId: caller.accountId, id })
}
