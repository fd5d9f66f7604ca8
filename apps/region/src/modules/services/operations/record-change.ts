import type { ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { recordAudit } from '../../account/index.ts'
import type { ServicesContext } from '../context.ts'
import type { Actor } from '../model.ts'
import { logService } from './logs.ts'

export interface RecordedChange {
  /** The id of the operation. */
  readonly action: string
  readonly message: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Writes a change to both logs: the audit log of the company and the log of the service. */
export async function recordChange(
  services: Pick<ServicesContext, 'clock' | 'ids'>,
  tx: Tx,
  { companyId, actorId }: Actor,
  serviceId: ServiceId,
  { action, message, metadata }: RecordedChange,
): Promise<void> {
  await recordAudit(tx, { companyId, actorId, action, ref: serviceId, serviceId, at: services.clock.now() })
  const entry = { type: 'config', message, metadata: { ...metadata, action, actor_id: actorId } } as const
  await logService(services, tx, { companyId, serviceId }, entry)
}
