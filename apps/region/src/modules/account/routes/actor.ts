import type { Caller } from '../../../platform/caller.ts'
import type { Actor } from '../operations/delegates.ts'

/** The actor of an audit entry: the machine client, else the user. */
export function actorOf({ accountId, userId, client }: Pick<Caller, 'accountId' | 'userId' | 'client'>): Actor {
  return { companyId: accountId, actorId: client?.clientId ?? userId }
}
