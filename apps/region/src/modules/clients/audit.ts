import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { recordAudit } from '../account/index.ts'
import type { Client } from './client.ts'
import type { ClientsNeeds } from './needs.ts'

/** Who does something to a company's client: a user, a client, or the operator. */
export interface Actor {
  readonly companyId: UserId
  readonly actorId: string
}

export async function recordAct(
  tx: Tx,
  { clock }: Pick<ClientsNeeds, 'clock'>,
  { companyId, actorId }: Actor,
  action: string,
  { clientId }: Client,
): Promise<void> {
  await recordAudit(tx, { companyId, actorId, action, ref: clientId, at: clock.now() })
}
