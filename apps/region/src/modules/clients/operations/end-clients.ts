import { instant, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { deleteClientState } from '../../access/index.ts'
import { deleteRecoveryCopies, lockAccount } from '../../account/index.ts'
import type { ClientsContext } from '../context.ts'
import type { Client } from '../model.ts'
import { announce, insertPendingChange } from '../pending-changes/index.ts'
import { listOwnedClients, setState } from '../store/clients.ts'

/**
 * Part of the erasure of an account: its tokens are refused from this transaction on, and the directory deletes the
 * clients soon after. Nothing is announced here: the erasure announces the account, and no client is served without its
 * account.
 */
export async function endClientsOfAccount(clients: ClientsContext, tx: Tx, companyId: UserId): Promise<void> {
  // Waits for clients that are being created.
  await lockAccount(tx, companyId)
  await endClients(clients, tx, companyId, null)
}

/**
 * Ends the data client of a service. Call it last in the transaction: [Note: announced last]. Answers the revision for
 * `awaitGuards`; null when there was no client.
 */
export async function endClientsOfService(
  clients: ClientsContext,
  tx: Tx,
  companyId: UserId,
  serviceId: ServiceId,
): Promise<number | null> {
  let revision: number | null = null
  for (const client of await endClients(clients, tx, companyId, serviceId))
    revision = await announce(clients, tx, client)
  return revision
}

async function endClients(
  { ids }: ClientsContext,
  tx: Tx,
  companyId: UserId,
  serviceId: ServiceId | null,
): Promise<readonly Client[]> {
  const ending = await listOwnedClients(tx, companyId, serviceId)
  for (const client of ending) {
    const { clientId } = client
    await setState(tx, client, 'ending')
    await insertPendingChange(tx, { companyId, clientId, id: ids.uuid(), startedAt: instant(0), sealedSecret: null })
    await deleteClientState(tx, companyId, clientId)
    await deleteRecoveryCopies(tx, companyId, clientId)
  }
  return ending
}
