import { instant, parseClientId, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import type { DirectoryClient } from '@sealpost/protocol'
import { awaitGuards, readCapabilities, recordChange } from '../../access/index.ts'
import { findAccount } from '../../account/index.ts'
import { findService } from '../../services/index.ts'
import type { ClientsContext } from '../context.ts'
import type { Client } from '../model.ts'
import { announce, applyDirectoryState, removeReplica } from '../pending-changes/index.ts'
import { findClient, insertClient, iterateClients, lockClient, takePurpose } from '../store/clients.ts'

/** The differences between a restored region and the directory. */
export interface Reconciliation {
  /** Deleted since the backup. */
  readonly removed: number
  /** Created since the backup, and inserted again. */
  readonly restored: number
  /** Changed since the backup. */
  readonly renewed: number
  /** Created since the backup, and deleted at the directory because a part of them was in the lost rows only. */
  readonly lost: readonly string[]
  /** Clients of accounts that the backup does not have. */
  readonly unknownAccounts: number
}

/**
 * Makes the clients of this region what the directory says they are. Runs on a restored database before anything serves
 * from it. Deletions come first: the service of a deleted data client may have another one by now.
 */
export async function reconcileClients(clients: ClientsContext): Promise<Reconciliation> {
  const entries = await readDirectory(clients)
  const removed = await removeDeleted(clients, entries)
  const counts = { removed, restored: 0, renewed: 0, unknownAccounts: 0 }
  const lost: string[] = []
  for (const entry of entries.values()) {
    const outcome = await reconcileEntry(clients, entry)
    if (outcome === 'lost') lost.push(entry.client_id)
    else if (outcome !== 'same') counts[outcome] += 1
  }
  // Nothing should serve yet; a process that does must not go on with its cached state.
  const { database, clock } = clients
  await awaitGuards(database, await database.transaction((tx) => recordChange(tx, null, clock.now())))
  return { ...counts, lost }
}

async function readDirectory({ directory }: ClientsContext): Promise<ReadonlyMap<string, DirectoryClient>> {
  const entries = new Map<string, DirectoryClient>()
  for await (const page of directory.list()) for (const entry of page) entries.set(entry.client_id, entry)
  return entries
}

async function removeDeleted(clients: ClientsContext, entries: ReadonlyMap<string, DirectoryClient>): Promise<number> {
  const { database } = clients
  const deleted: Client[] = []
  for await (const client of iterateClients(database)) {
    if (client.state !== 'live' || !entries.has(client.clientId)) deleted.push(client)
  }
  for (const client of deleted) await database.transaction((tx) => removeReplica(clients, tx, client))
  return deleted.length
}

async function reconcileEntry(
  clients: ClientsContext,
  entry: DirectoryClient,
): Promise<'same' | 'renewed' | 'restored' | 'lost' | 'unknownAccounts'> {
  const companyId = parseUuid<UserId>(entry.user_id)
  const clientId = parseClientId(entry.client_id)
  if (companyId === null || clientId === null) throw new Error('the directory lists a client without a valid id')
  const name = { companyId, clientId }
  const { database, directory } = clients
  const stored = await database.read((read) => findClient(read, name))
  if (stored !== null) return (await renew(clients, stored, entry)) ? 'renewed' : 'same'
  if ((await database.read((read) => findAccount(read, companyId))) === null) return 'unknownAccounts'
  const serviceId = entry.service_id === null ? null : parseUuid<ServiceId>(entry.service_id)
  const isServed =
    serviceId === null || (await database.read((read) => findService(read, companyId, serviceId))) !== null
  // The keys of an app, and a service created since, were in the lost rows only.
  if (entry.kind === 'idw' || !isServed) {
    await directory.remove(name)
    return 'lost'
  }
  await restore(clients, { ...name, serviceId }, entry)
  return 'restored'
}

async function renew(
  clients: ClientsContext,
  { companyId, clientId }: Client,
  entry: DirectoryClient,
): Promise<boolean> {
  return clients.database.transaction(async (tx) => {
    const client = await lockClient(tx, { companyId, clientId })
    if (client === null || !(await applyDirectoryState(clients, tx, client, entry))) return false
    await announce(clients, tx, client)
    return true
  })
}

async function restore(
  clients: ClientsContext,
  name: Pick<Client, 'companyId' | 'clientId' | 'serviceId'>,
  entry: DirectoryClient,
): Promise<void> {
  const client: Client = {
    ...name,
    id: clients.ids.uuid(),
    kind: entry.kind,
    name: entry.name,
    purpose: entry.purpose,
    capabilities: readCapabilities(entry.capabilities) ?? [],
    redirectUris: entry.redirect_uris,
    isConfidential: entry.is_confidential,
    allowsDetached: entry.allows_detached ?? false,
    rev: 0,
    state: 'live',
    createdAt: instant(entry.created_at),
  }
  await clients.database.transaction(async (tx) => {
    await insertClient(tx, client)
    if (client.purpose !== null) await takePurpose(tx, client, client.purpose)
    await applyDirectoryState(clients, tx, client, entry)
    await announce(clients, tx, client)
  })
}
