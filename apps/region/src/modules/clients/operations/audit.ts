import type { Tx } from '@sealpost/postgres'
import { recordAudit } from '../../account/index.ts'
import { logService } from '../../services/index.ts'
import type { ClientsContext } from '../context.ts'
import type { Actor, Client } from '../model.ts'

export async function auditClient(
  { clock }: ClientsContext,
  tx: Tx,
  { companyId, actorId }: Actor,
  action: string,
  { clientId, serviceId }: Client,
): Promise<void> {
  await recordAudit(tx, {
    companyId,
    actorId,
    action,
    ref: clientId,
    serviceId: serviceId ?? undefined,
    at: clock.now(),
  })
}

const MESSAGES = {
  'services.create_client': 'The data client was registered',
  'services.change_client': 'The redirect URI of the data client was changed',
  'services.regenerate_client_secret': 'The data client has a new secret',
  'services.delete_client': 'The data client was deleted',
} as const

/** Writes to both logs: the company's audit log and the log of the service. */
export async function auditDataClient(
  clients: ClientsContext,
  tx: Tx,
  actor: Actor,
  action: keyof typeof MESSAGES,
  client: Client,
): Promise<void> {
  await auditClient(clients, tx, actor, action, client)
  const { companyId, serviceId, clientId } = client
  if (serviceId === null) return
  const metadata = { action, actor_id: actor.actorId, client_id: clientId }
  await logService(clients, tx, { companyId, serviceId }, { type: 'client', message: MESSAGES[action], metadata })
}
