import { instant, parseClientId, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import type { DirectoryClient } from '@sealpost/protocol'
import { awaitGuards, readCapabilities, recordChange } from '../access/index.ts'
import { findAccount } from '../account/index.ts'
import { findService } from '../services/index.ts'
import { announce, removeReplica, takeOver } from './acts/replica.ts'
import type { Client } from './client.ts'
import type { ClientsNeeds } from './needs.ts'
import { findClient, insertClient, lockClient, takePurpose } from './store/clients.ts'
import { walkClients } from './walk.ts'

/** What a restored region found different at the directory. */
export interface Reconciliation {
  /** Ended since the backup. */
  readonly removed: number
  /** Registered since the backup, and here again. */
  readonly restored: number
  /** Changed since the backup. */
  readonly renewed: number
  /** Registered since the backup, with a part that only the lost rows had; ended at the directory. */
  readonly lost: readonly string[]
  /** Of accounts that the backup does not know. */
  readonly unknownAccounts: number
}

/**
 * Makes the clients of this region what the directory says they are. To be run on a restored database before anything
 * serves from it. Those that are gone go first: a service may have another data client by now.
 */
export async function reconcileClients(needs: ClientsNeeds): Promise<Reconciliation> {
  const known = await readDirectory(needs)
  const removed = await removeGone(needs, known)
  const counts = { removed, restored: 0, renewed: 0, unknownAccounts: 0 }
  const lost: string[] = []
  for (const shown of known.values()) {
    const outcome = await bringUpToDate(needs, shown)
    if (outcome === 'lost') lost.push(shown.client_id)
    else if (outcome !== 'same') counts[outcome] += 1
  }
  // Nothing should serve yet; whoever does all the same must not go on with what it remembers.
  const { database, clock } = needs
  await awaitGuards(database, await database.transaction((tx) => recordChange(tx, null, clock.now())))
  return { ...counts, lost }
}

async function readDirectory({ directory }: ClientsNeeds): Promise<ReadonlyMap<string, DirectoryClient>> {
  const known = new Map<string, DirectoryClient>()
  for await (const page of directory.list()) for (const shown of page) known.set(shown.client_id, shown)
  return known
}

async function removeGone(needs: ClientsNeeds, known: ReadonlyMap<string, DirectoryClient>): Promise<number> {
  const gone: Client[] = []
  for await (const client of walkClients(needs)) {
    if (client.state !== 'live' || !known.has(client.clientId)) gone.push(client)
  }
  for (const client of gone) {
    await needs.database.transaction((tx) => removeReplica(tx, needs, client))
  }
  return gone.length
}

async function bringUpToDate(
  needs: ClientsNeeds,
  shown: DirectoryClient,
): Promise<'same' | 'renewed' | 'restored' | 'lost' | 'unknownAccounts'> {
  const companyId = parseUuid<UserId>(shown.user_id)
  const clientId = parseClientId(shown.client_id)
  if (companyId === null || clientId === null) throw new Error('the directory lists a client that has no id')
  const name = { companyId, clientId }
  const { database, directory } = needs
  const stored = await database.read((read) => findClient(read, name))
  if (stored !== null) return (await renew(needs, stored, shown)) ? 'renewed' : 'same'
  if ((await database.read((read) => findAccount(read, companyId))) === null) return 'unknownAccounts'
  const serviceId = shown.service_id === null ? null : parseUuid<ServiceId>(shown.service_id)
  const isServed =
    serviceId === null || (await database.read((read) => findService(read, companyId, serviceId))) !== null
  // The keys of an app, and a service, were in the rows that are lost.
  if (shown.kind === 'idw' || !isServed) {
    await directory.remove(name)
    return 'lost'
  }
  await putBack(needs, { ...name, serviceId }, shown)
  return 'restored'
}

async function renew(needs: ClientsNeeds, { companyId, clientId }: Client, shown: DirectoryClient): Promise<boolean> {
  return needs.database.transaction(async (tx) => {
    const client = await lockClient(tx, { companyId, clientId })
    if (client === null || !(await takeOver(tx, needs, client, shown))) return false
    await announce(tx, needs, client)
    return true
  })
}

async function putBack(
  needs: ClientsNeeds,
  name: Pick<Client, 'companyId' | 'clientId' | 'serviceId'>,
  shown: DirectoryClient,
): Promise<void> {
  const client: Client = {
    ...name,
    id: needs.ids.uuid(),
    kind: shown.kind,
    name: shown.name,
    purpose: shown.purpose,
    capabilities: readCapabilities(shown.capabilities) ?? [],
    redirectUris: shown.redirect_uris,
    isConfidential: shown.is_confidential,
    rev: 0,
    state: 'live',
    createdAt: instant(shown.created_at),
  }
  await needs.database.transaction(async (tx) => {
    await insertClient(tx, client)
    if (client.purpose !== null) await takePurpose(tx, client, client.purpose)
    await takeOver(tx, needs, client, shown)
    await announce(tx, needs, client)
  })
}
