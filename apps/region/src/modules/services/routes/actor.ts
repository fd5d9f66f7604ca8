import type { Caller } from '../../../platform/caller.ts'
import type { Actor } from '../model.ts'

/** The actor of a recorded change: the machine client, else the user. */
export function actorOf({ accountId, userId, client }: Pick<Caller, 'accountId' | 'userId' | 'client'>): Actor {
  return { companyId: accountId, actorId: client?.clientId ?? userId }
}
