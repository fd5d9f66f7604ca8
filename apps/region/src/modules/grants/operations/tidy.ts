import { instant } from '@sealpost/kernel'
import { removeAll } from '../../../platform/remove-all.ts'
import type { GrantsContext } from '../context.ts'
import { deleteExpiredGrants, deleteExpiredTokens, listEnded } from '../store/grants.ts'
import { deleteForgotten } from '../store/results.ts'
import { endGrants } from './end-grants.ts'

const BATCH = 500
/** An end in progress gets this long before another process completes it. */
const IN_PROGRESS_MS = 60_000

/** Deletes expired rows and completes ends whose process stopped; several workers may run it at once. */
export async function tidyGrants(grants: GrantsContext): Promise<void> {
  const { database, clock } = grants
  const now = clock.now()
  for (const deleteSome of [deleteExpiredGrants, deleteExpiredTokens, deleteForgotten]) {
    await removeAll(BATCH, (limit) => database.transaction((tx) => deleteSome(tx, now, limit)))
  }
  await removeAll(BATCH, async (limit) => {
    const ended = await database.read((read) => listEnded(read, instant(now - IN_PROGRESS_MS), limit))
    await endGrants(grants, ended)
    return ended.length
  })
}
