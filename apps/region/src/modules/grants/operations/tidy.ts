import { instant } from '@sealpost/kernel'
import type { GrantsContext } from '../context.ts'
import { deleteExpired, listEnded } from '../store/grants.ts'
import { deleteForgotten } from '../store/results.ts'
import { endGrants } from './end-grants.ts'

const BATCH = 500
/** An end in progress gets this long before another process completes it. */
const IN_PROGRESS_MS = 60_000

/** Deletes expired rows and completes ends whose process stopped; several workers may run it at once. */
export async function tidyGrants(grants: GrantsContext): Promise<void> {
  const { database, clock } = grants
  const now = clock.now()
  await database.transaction(async (tx) => {
    await deleteExpired(tx, now, BATCH)
    await deleteForgotten(tx, now)
  })
  await endGrants(grants, await database.read((read) => listEnded(read, instant(now - IN_PROGRESS_MS), BATCH)))
}
