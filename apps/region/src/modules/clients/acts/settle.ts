import { instant } from '@sealpost/kernel'
import { ApiError } from '@sealpost/protocol'
import { awaitGuards } from '../../access/index.ts'
import type { ClientName } from '../client.ts'
import type { ClientsNeeds } from '../needs.ts'
import { type Act, deleteAct, deleteClient, findClient, listActsSince, lockClient, setState } from '../store/clients.ts'
import { announce, removeReplica, takeOver } from './replica.ts'

/** As long as the lease of an Idempotency-Key: nobody works on an older act. */
export const BUSY_MS = 60_000
const AT_ONCE = 100

/**
 * Finishes what was cut off between the directory and this region, by asking the directory what became of it. Safe to
 * run anywhere, any number of times. Answers how many acts are settled.
 */
export async function settleActs(needs: ClientsNeeds): Promise<number> {
  const before = instant(needs.clock.now() - BUSY_MS)
  const acts = await needs.database.read((read) => listActsSince(read, before, AT_ONCE))
  let settled = 0
  for (const act of acts) {
    try {
      await settle(needs, act)
      settled += 1
    } catch (error) {
      // Without the directory none of them can be settled; one that fails for another reason must not hold the others.
      if (error instanceof ApiError && error.status >= 500) throw error
      needs.log.error(
        { err: error, client_id: act.clientId },
        'a client could not be brought in step with the directory',
      )
    }
  }
  return settled
}

async function settle(needs: ClientsNeeds, act: Act): Promise<void> {
  const client = await needs.database.read((read) => findClient(read, act))
  if (client === null) return
  if (client.state !== 'live') {
    await removeEverywhere(needs, client)
    return
  }
  await adopt(needs, client)
  await needs.database.transaction((tx) => deleteAct(tx, act))
}

/** Makes a live client here what it is at the directory: changed, or gone. */
export async function adopt(needs: ClientsNeeds, name: ClientName): Promise<void> {
  const { database, directory } = needs
  const shown = await directory.find(name.clientId)
  const revision = await database.transaction(async (tx) => {
    const client = await lockClient(tx, name)
    if (client?.state !== 'live') return null
    if (shown === null) return removeReplica(tx, needs, name)
    return (await takeOver(tx, needs, client, shown)) ? announce(tx, needs, name) : null
  })
  if (revision !== null) await awaitGuards(database, revision)
}

/** For what never came to life or has ended: the directory first, so that no row is lost before its work is done. */
export async function removeEverywhere(needs: ClientsNeeds, name: ClientName): Promise<void> {
  const { database, directory } = needs
  const isLive = await database.transaction(async (tx) => {
    // Whoever looked before may have been overtaken by the attempt itself.
    if ((await lockClient(tx, name))?.state === 'live') return true
    await setState(tx, name, 'ending')
    return false
  })
  if (isLive) return
  await directory.remove(name)
  await database.transaction((tx) => deleteClient(tx, name))
}
