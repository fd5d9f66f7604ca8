import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { removeAll } from '../../../../platform/remove-all.ts'
import type { ServiceSideContext } from '../context.ts'
import { forgetBefore } from '../rules/requests.ts'
import { deleteOldRequests } from '../store/requests.ts'
import { releaseExpiredFiles } from '../store/slots.ts'
import { deleteOldTakenFiles } from '../store/taken-files.ts'
import { discardFiles } from './end-connection.ts'
import { TAKEN_FOR_MS } from './take-file.ts'

const AT_ONCE = 500

/** Removes expired files, taken files that no connection used, and requests that have no effect any more. */
export async function tidyServiceSide(context: ServiceSideContext): Promise<void> {
  const { database, clock } = context
  const now = clock.now()
  const remove = (some: (tx: Tx, limit: number) => Promise<number>): Promise<number> =>
    removeAll(AT_ONCE, (limit) => database.transaction((tx) => some(tx, limit)))
  await remove(async (tx, limit) => {
    const released = await releaseExpiredFiles(tx, now, limit)
    await discardFiles(context, tx, released)
    return released.length
  })
  await remove((tx, limit) => deleteOldTakenFiles(tx, instant(now - TAKEN_FOR_MS), limit))
  await remove((tx, limit) => deleteOldRequests(tx, forgetBefore(now), limit))
}
