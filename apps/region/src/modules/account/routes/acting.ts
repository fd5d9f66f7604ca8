import type { UserId } from '@sealpost/kernel'
import type { Acting } from '../delegates.ts'

/** A caller, as far as the log wants to know. */
interface Who {
  readonly accountId: UserId
  readonly userId: UserId
  readonly client: { readonly clientId: string } | null
}

export function actingOf({ accountId, userId, client }: Who): Acting {
  return { companyId: accountId, actorId: client?.clientId ?? userId }
}
