import { parseUuid, type ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { DirectoryClient } from '@sealpost/protocol'
import { deleteClientState, putClientState, readCapabilities, recordChange } from '../../../access/index.ts'
import { deleteRecoveryCopies } from '../../../account/index.ts'
import { forgetUses } from '../../../plugins/index.ts'
import type { ClientsContext } from '../../context.ts'
import type { Client, ClientName } from '../../model.ts'
import { deleteClientRow, updateFacts } from '../../store/clients.ts'
import { findSealedSecret } from '../store/pending-changes.ts'
import { keepRecoveryCopy } from './recovery-copies.ts'

/**
 * Stores the client as the directory has it; false when the stored revision is as new. The caller announces the change
 * at the end of the transaction.
 *
 * [Note: sealed copy of a secret] The copy waits in the row of the pending change that sets the secret. The directory
 * names the change that set the present secret, so the right copy is kept even if the process that asked has stopped.
 */
export async function applyDirectoryState(
  clients: ClientsContext,
  tx: Tx,
  client: Client,
  entry: DirectoryClient,
): Promise<boolean> {
  if (entry.rev <= client.rev) return false
  const facts = {
    name: entry.name,
    serviceId: entry.service_id === null ? null : parseUuid<ServiceId>(entry.service_id),
    capabilities: readCapabilities(entry.capabilities) ?? [],
    redirectUris: entry.redirect_uris,
    allowsDetached: entry.allows_detached ?? client.allowsDetached,
    rev: entry.rev,
  }
  await updateFacts(tx, client, facts)
  await putClientState(tx, {
    companyId: client.companyId,
    clientId: client.clientId,
    kind: client.kind,
    serviceId: facts.serviceId,
    epoch: entry.epoch,
    patterns: entry.patterns,
  })
  const sealed = entry.secret_id === null ? null : await findSealedSecret(tx, client, entry.secret_id)
  if (sealed !== null) await keepRecoveryCopy(clients, tx, client, sealed)
  return true
}

/**
 * [Note: announced last] All changes of a region lock one row for their revision (access/guard/README.md). A
 * transaction takes that lock last: one that waited for other rows while holding it would delay every revocation of the
 * region, and two that wait for each other would do so until PostgreSQL detects the deadlock. Answers the revision for
 * `awaitGuards`.
 */
export function announce({ clock }: ClientsContext, tx: Tx, { clientId }: ClientName): Promise<number> {
  return recordChange(tx, clientId, clock.now())
}

/** Deletes row, patterns and recovery copies, and announces it: no token of the client is accepted any more. */
export async function removeReplica(clients: ClientsContext, tx: Tx, name: ClientName): Promise<number> {
  await deleteClientState(tx, name.companyId, name.clientId)
  await deleteClientRow(tx, name)
  await deleteRecoveryCopies(tx, name.companyId, name.clientId)
  await forgetUses(tx, name.companyId, name.clientId)
  return announce(clients, tx, name)
}
