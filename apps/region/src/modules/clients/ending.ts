import { instant, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { deleteClientState } from '../access/index.ts'
import { dropRecoveryCopies, lockAccount } from '../account/index.ts'
import { announce } from './acts/replica.ts'
import type { Client } from './client.ts'
import type { ClientsNeeds } from './needs.ts'
import { insertAct, listEnding, setState } from './store/clients.ts'

/**
 * With the account: in its transaction no token is worth anything any more; the directory forgets the clients soon after.
 * The end of the account is announced by whoever ends it, and no client is served without its account.
 */
export async function endClientsOfAccount(tx: Tx, needs: EndingNeeds, companyId: UserId): Promise<void> {
  // Or a client that is just being made would be found by neither.
  await lockAccount(tx, companyId)
  await endClients(tx, needs, companyId, null)
}

/**
 * With the service: its data client. To be called last: see [Note: announced last]. Answers the revision that all
 * processes must have seen before anybody is told; null when there was no client.
 */
export async function endClientsOfService(
  tx: Tx,
  needs: EndingNeeds,
  companyId: UserId,
  serviceId: ServiceId,
): Promise<number | null> {
  let revision: number | null = null
  for (const client of await endClients(tx, needs, companyId, serviceId)) revision = await announce(tx, needs, client)
  return revision
}

type EndingNeeds = Pick<ClientsNeeds, 'clock' | 'ids'>

async function endClients(
  tx: Tx,
  { ids }: EndingNeeds,
  companyId: UserId,
  serviceId: ServiceId | null,
): Promise<readonly Client[]> {
  const ending = await listEnding(tx, companyId, serviceId)
  for (const client of ending) {
    const { clientId } = client
    await setState(tx, client, 'ending')
    await insertAct(tx, { companyId, clientId, id: ids.uuid(), since: instant(0), sealedSecret: null })
    await deleteClientState(tx, companyId, clientId)
    await dropRecoveryCopies(tx, companyId, clientId)
  }
  return ending
}
