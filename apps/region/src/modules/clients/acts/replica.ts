import { parseUuid, type ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { DirectoryClient } from '@sealpost/protocol'
import { deleteClientState, putClientState, readCapabilities, recordChange } from '../../access/index.ts'
import { dropRecoveryCopies } from '../../account/index.ts'
import type { Client, ClientName } from '../client.ts'
import type { ClientsNeeds } from '../needs.ts'
import { keepRecoveryCopy } from '../recovery.ts'
import { deleteClient, findSealedSecret, updateFacts } from '../store/clients.ts'

/**
 * Takes over what the directory answered, unless something newer is known already: then it answers false. What was taken
 * over has to be announced, at the end of the transaction.
 *
 * [Note: the act names the secret] The sealed copy of a secret waits with the act that set it. Whichever act the
 * directory did last, its copy is the one that is kept, also when the process that asked is gone.
 */
export async function takeOver(
  tx: Tx,
  needs: Pick<ClientsNeeds, 'clock' | 'ids'>,
  client: Client,
  shown: DirectoryClient,
): Promise<boolean> {
  if (shown.rev <= client.rev) return false
  const facts = {
    name: shown.name,
    serviceId: shown.service_id === null ? null : parseUuid<ServiceId>(shown.service_id),
    capabilities: readCapabilities(shown.capabilities) ?? [],
    redirectUris: shown.redirect_uris,
    rev: shown.rev,
  }
  await updateFacts(tx, client, facts)
  await putClientState(tx, {
    companyId: client.companyId,
    clientId: client.clientId,
    kind: client.kind,
    serviceId: facts.serviceId,
    epoch: shown.epoch,
    patterns: shown.patterns,
  })
  const sealed = shown.secret_id === null ? null : await findSealedSecret(tx, client, shown.secret_id)
  if (sealed !== null) await keepRecoveryCopy(tx, needs, client, sealed)
  return true
}

/**
 * [Note: announced last] All changes of the region wait in one line for their number (guard/README.md), so the last thing
 * that a transaction does is to stand there: whoever waited for another row meanwhile would hold up every revocation, and
 * two who wait for each other would hold it up until the database ends one of them. The answer is the revision that all
 * processes must have seen before anybody is told of the change.
 */
export function announce(tx: Tx, { clock }: Pick<ClientsNeeds, 'clock'>, { clientId }: ClientName): Promise<number> {
  return recordChange(tx, clientId, clock.now())
}

/** Ends the client here: row, patterns and every token. Announces it, too. */
export async function removeReplica(tx: Tx, needs: Pick<ClientsNeeds, 'clock'>, name: ClientName): Promise<number> {
  await deleteClientState(tx, name.companyId, name.clientId)
  await deleteClient(tx, name)
  await dropRecoveryCopies(tx, name.companyId, name.clientId)
  return announce(tx, needs, name)
}
