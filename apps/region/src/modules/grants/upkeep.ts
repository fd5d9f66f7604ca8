import { instant } from '@sealpost/kernel'
import { endGrants, type EndingNeeds } from './ending.ts'
import { deleteExpired, listEnded } from './store/grants.ts'
import { deleteForgotten } from './store/results.ts'

const AT_ONCE = 500
/** An end that is still under way gets this long before somebody else goes on with it. */
const CUT_OFF_MS = 60_000

/** Forgets what is over and goes on with ends that were cut off; safe to do twice, by several workers at once. */
export async function tidyGrants(needs: EndingNeeds): Promise<void> {
  const { database, clock } = needs
  const now = clock.now()
  await database.transaction(async (tx) => {
    await deleteExpired(tx, now, AT_ONCE)
    await deleteForgotten(tx, now)
  })
  const cutOff = await database.read((read) => listEnded(read, instant(now - CUT_OFF_MS), AT_ONCE))
  await endGrants(needs, cutOff)
}
