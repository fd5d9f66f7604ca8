import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Caller } from '../../caller.ts'
import { recordAudit } from '../account/index.ts'
import { logService } from './logs.ts'
import type { ServicesNeeds } from './needs.ts'
import type { ServiceName } from './service.ts'
import type { LogType } from './store/logs.ts'

/** Whose service, and who acts on it. */
export interface Actor {
  readonly companyId: UserId
  /** A user, or the client id of a machine. */
  readonly actorId: string
}

export function actorOf({ accountId, userId, client }: Pick<Caller, 'accountId' | 'userId' | 'client'>): Actor {
  return { companyId: accountId, actorId: client?.clientId ?? userId }
}

/** Both logs: the company's, of who did what, and the service's own. */
export async function recordAct(
  tx: Tx,
  needs: Pick<ServicesNeeds, 'clock' | 'ids'>,
  { companyId, actorId }: Actor,
  serviceId: ServiceId,
  { action, message, metadata }: Act,
): Promise<void> {
  const service: ServiceName = { companyId, serviceId }
  await recordAudit(tx, { companyId, actorId, action, ref: serviceId, at: needs.clock.now() })
  const type: LogType = 'config'
  await logService(tx, needs, service, { type, message, metadata: { ...metadata, action, actor_id: actorId } })
}

export interface Act {
  /** The id of the operation. */
  readonly action: string
  readonly message: string
  readonly metadata?: Readonly<Record<string, unknown>>
}
