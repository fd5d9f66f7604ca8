import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import type { Caller } from '../../../../platform/caller.ts'
import type { CustomerContext } from '../context.ts'
import type { Customer, KnownConnection } from '../model.ts'
import { requireKnown } from '../operations/read-connections.ts'
import { connectionNotFound } from '../rules/refusals.ts'

/** Every caller other than a person acts for a company: portal users, delegates and account clients. */
export function customerOf({ kind, accountId }: Pick<Caller, 'kind' | 'accountId'>): Customer {
  return { accountId, userType: kind === 'person' ? 'person' : 'company' }
}

/** Identifies the caller within an account. */
export function callerName({ client, userId }: Pick<Caller, 'client' | 'userId'>): string {
  return client?.clientId ?? userId
}

export async function locateConnection(
  context: CustomerContext,
  caller: Caller,
  text: string,
): Promise<KnownConnection> {
  const id = parseUuid<ConnectionId>(text)
  if (id === null) throw connectionNotFound()
  return requireKnown(context, { accountId: caller.accountId, id })
}
