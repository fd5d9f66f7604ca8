import { instant } from '@sealpost/kernel'
import { ApiError } from '@sealpost/protocol'
import { awaitGuards } from '../../../access/index.ts'
import type { ClientsContext } from '../../context.ts'
import type { ClientName } from '../../model.ts'
import { deleteClientRow, findClient, lockClient, setState } from '../../store/clients.ts'
import { deletePendingChange, listStartedBefore, type PendingChange } from '../store/pending-changes.ts'
import { announce, applyDirectoryState, removeReplica } from './replica.ts'

/** As long as the lease of an Idempotency-Key: no call still works on an older change. */
export const IN_PROGRESS_MS = 60_000
const BATCH = 100

/**
 * Completes changes whose process stopped between the directory and this region, by asking the directory for the
 * client. Safe to run anywhere, any number of times. Answers how many are complete.
 */
export async function reconcilePendingChanges(clients: ClientsContext): Promise<number> {
  const { clock, database, log } = clients
  const before = instant(clock.now() - IN_PROGRESS_MS)
  let completed = 0
  for (const change of await database.read((read) => listStartedBefore(read, before, BATCH))) {
    try {
      await reconcile(clients, change)
      completed += 1
    } catch (error) {
      // An unreachable directory fails all of them alike; any other failure concerns this client only.
      if (error instanceof ApiError && error.status >= 500) throw error
      log.error({ err: error, client_id: change.clientId }, 'a client could not be reconciled with the directory')
    }
  }
  return completed
}

async function reconcile(clients: ClientsContext, change: PendingChange): Promise<void> {
  const { database } = clients
  const client = await database.read((read) => findClient(read, change))
  if (client === null) return
  if (client.state !== 'live') {
    await removeEverywhere(clients, client)
    return
  }
  await pullFromDirectory(clients, client)
  await database.transaction((tx) => deletePendingChange(tx, change))
}

/** Makes a live client what it is at the directory: changed or deleted. */
export async function pullFromDirectory(clients: ClientsContext, name: ClientName): Promise<void> {
  const { database, directory } = clients
  const entry = await directory.find(name.clientId)
  const revision = await database.transaction(async (tx) => {
    const client = await lockClient(tx, name)
    if (client?.state !== 'live') return null
    if (entry === null) return removeReplica(clients, tx, name)
    return (await applyDirectoryState(clients, tx, client, entry)) ? announce(clients, tx, name) : null
  })
  if (revision !== null) await awaitGuards(database, revision)
}

/**
 * Removes a client that never became live or is ending: at the directory first, so that the row stays until that is
 * done.
 */
export async function removeEverywhere({ database, directory }: ClientsContext, name: ClientName): Promise<void> {
  const isLive = await database.transaction(async (tx) => {
    // The creation may have completed since the caller read the client.
    if ((await lockClient(tx, name))?.state === 'live') return true
    await setState(tx, name, 'ending')
    return false
  })
  if (isLive) return
  await directory.remove(name)
  await database.transaction((tx) => deleteClientRow(tx, name))
}
